# make qualify | make test | make check | make serve | make full
PYTHON ?= python3
BIN := .venv/bin
STUDY ?= smollm2-cpu
POOL := cpu
export PREFECT_SERVER_ANALYTICS_ENABLED := false
export DO_NOT_TRACK := 1

.PHONY: help install qualify full recipes test test-long check static lint types contracts dependencies serve clean \
	fail-closed faults mutants bench-gates bench-loadgen bench-calls bench-scoring \
	bench-report bench-ledger bench-audit

help:            ## say what can be made
	@grep -E '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed 's/:.*##/ -/'

install: $(BIN)/.complete

# One environment for pipeline and tests; the marker is written last, so a killed install is redone.
$(BIN)/.complete: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Touchstone needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@

qualify: install ## qualify the default study's variants; print decisions and the report's path
	$(BIN)/python -m flows.qualify $(STUDY) --succeed-when-run

full: install    ## the same with well calibrated INT4 and speculation
	$(BIN)/python -m flows.qualify smollm2-cpu-full --succeed-when-run

recipes: install ## one variant of every kind: about two hours
	$(BIN)/python -m flows.qualify smollm2-cpu-recipes --succeed-when-run

test: install    ## run the tests
	$(BIN)/python -m pytest

fail-closed: install ## spoilt inputs through stored evidence: input, expected outcome, outcome
	$(BIN)/python -m tests.fail_closed

faults: install  ## every fault on the real engine: outcome, processes left, rows lost; half an hour
	$(BIN)/python -m tests.faults

mutants: install ## variants whose truth is known, end to end, twice with fresh seeds: an hour or two
	$(BIN)/python -m tests.mutants
	$(BIN)/python -m tests.mutants

bench-gates: install ## Monte Carlo of the gates beside other rules: minutes
	$(BIN)/python -m tests.bench.gates
	$(BIN)/python -m tests.bench.coverage
	$(BIN)/python -m tests.bench.queue

bench-scoring: install ## log-likelihoods beside lm-eval's own model, same items and weights
	$(BIN)/python -m tests.bench.scoring

bench-loadgen: install ## our load generator beside its peers, against known timing: minutes
	$(BIN)/python -m tests.bench.loadgen

bench-calls: install ## our checker of written calls beside the published one, item by item
	$(BIN)/python -m tests.bench.calls

bench-ledger: install ## rows into the ledger, beside executemany
	$(BIN)/python -m tests.bench.ledger

bench-report: install ## time, memory and size of a report over 10 thousand to 1 million requests
	$(BIN)/python -m tests.bench.report

bench-audit: install ## the audit beside plain reading, on 8 GB of generated weights: minutes
	$(BIN)/python -m tests.bench.audit

test-long: install ## speculation, compile cache and adapters on the real engine: an hour
	$(BIN)/python -m pytest -m long

check: static test ## what CI runs

static: lint types contracts dependencies

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: install
	$(BIN)/mypy

contracts: install
	$(BIN)/lint-imports

dependencies: install ## what is installed agrees with itself, and with the lock
	$(BIN)/python -m pip check

serve: install   ## a local Prefect server, the deployments, and a process worker; Ctrl-C stops all
	$(BIN)/python -m flows.serve --pool $(POOL)

clean:           ## remove the environment; state under .touchstone stays
	rm -rf .venv
