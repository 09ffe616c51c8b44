-- The ledger. Schema `kept` holds the rows; the views below it are what a reader queries.
-- Every row is keyed by study, run and variant; `digest` names the evidence file it came from.
-- "source" is the record of evals.results (or evals.gates, reports.kept.entries) and its field.
-- All times are UTC. NULL means not measured, never zero.

CREATE SCHEMA IF NOT EXISTS kept;

CREATE TABLE IF NOT EXISTS kept.evidence (
    digest        VARCHAR PRIMARY KEY,  -- sha256 hex of the evidence file; end of its name
    study         VARCHAR NOT NULL,     -- name; Record.study
    run           VARCHAR NOT NULL,     -- name; Record.run
    variant       VARCHAR NOT NULL,     -- name; Record.variant
    step          VARCHAR NOT NULL,     -- name, unique within run and variant; Record.step
    kind          VARCHAR NOT NULL,     -- name of the payload's type; Record.payload.kind
    recorded_at   TIMESTAMP NOT NULL,   -- UTC; Record.recorded_at
    path          VARCHAR NOT NULL      -- file name below the evidence folder; variants.kept.evidence
);

CREATE TABLE IF NOT EXISTS kept.bindings (
    digest        VARCHAR NOT NULL,     -- sha256 hex; kept.evidence
    study         VARCHAR NOT NULL,     -- name; Record.study
    run           VARCHAR NOT NULL,     -- name; Record.run
    variant       VARCHAR NOT NULL,     -- baseline: it holds for the whole run; Record.variant
    policy_sha256 VARCHAR NOT NULL,     -- sha256 hex of the policy; Binding.policy_sha256
    study_sha256  VARCHAR,              -- sha256 hex of the study; Binding.study_sha256
    base          VARCHAR NOT NULL,     -- sha256 hex of the base's files; Binding.base
    tools         VARCHAR NOT NULL,     -- digest of package versions; Binding.tools
    engines       VARCHAR NOT NULL,     -- digest of the engines' pinned lists; Binding.engines
    hardware      VARCHAR NOT NULL      -- digest of the target's description; Binding.hardware
);

CREATE TABLE IF NOT EXISTS kept.cells (
    digest        VARCHAR NOT NULL,     -- sha256 hex; kept.evidence
    study         VARCHAR NOT NULL,     -- name; Record.study
    run           VARCHAR NOT NULL,     -- name; Record.run
    variant       VARCHAR NOT NULL,     -- name; Record.variant
    name          VARCHAR NOT NULL,     -- workload and load, e.g. closed-8; Cell.name
    arm           VARCHAR NOT NULL,     -- baseline or variant; Cell.arm
    repeat        INTEGER NOT NULL,     -- interleaved block, from 0; Cell.repeat
    drawn_order   INTEGER NOT NULL,     -- position in the drawn order of the profile; Cell.order
    num_offered   INTEGER NOT NULL,     -- judged requests; Cell.num_offered
    num_ok        INTEGER NOT NULL,     -- judged requests that ended ok; Cell.num_ok
    window_s      DOUBLE NOT NULL,      -- s, arrivals inside are judged; Cell.window_s
    metrics       MAP(VARCHAR, DOUBLE), -- unit in each key, e.g. tpot_ms; Cell.metrics
    engine        MAP(VARCHAR, DOUBLE), -- counters: delta, gauges: mean; Cell.engine
    tenants_json  JSON,                 -- what each tenant had, [] where not mixed; Cell.tenants
    invalid       VARCHAR[],            -- reasons, [] is valid; Cell.invalid
    traces_sha256 VARCHAR NOT NULL      -- sha256 hex of the Parquet file of traces; Cell.traces_sha256
);

ALTER TABLE kept.cells ADD COLUMN IF NOT EXISTS tenants_json JSON;  -- of a ledger made before

CREATE TABLE IF NOT EXISTS kept.suites (
    digest        VARCHAR NOT NULL,     -- sha256 hex; kept.evidence
    study         VARCHAR NOT NULL,     -- name; Record.study
    run           VARCHAR NOT NULL,     -- name; Record.run
    variant       VARCHAR NOT NULL,     -- name; Record.variant
    suite         VARCHAR NOT NULL,     -- name; SuiteResult.suite
    arm           VARCHAR NOT NULL,     -- baseline or variant; SuiteResult.arm
    path          VARCHAR NOT NULL,     -- artifact (in process) or engine; SuiteResult.path
    chance        DOUBLE NOT NULL,      -- share right by chance, 0 to 1; SuiteResult.chance
    num_issued    INTEGER NOT NULL,     -- items; SuiteResult.num_issued
    num_planned   INTEGER,              -- items to the end, NULL those issued; SuiteResult.num_planned
    items_sha256  VARCHAR NOT NULL,     -- sha256 hex of the item set; SuiteResult.items_sha256
    rule          VARCHAR NOT NULL,     -- the scoring rule in words; SuiteResult.rule
    cluster_key   VARCHAR NOT NULL,     -- what items of a cluster share; SuiteResult.cluster_key
    rewards_silence BOOLEAN NOT NULL,   -- a refusal or non-call is right; SuiteResult.rewards_silence
    weights_sha256 VARCHAR,             -- of the weight files that answered; SuiteResult.weights_sha256
    conditions    MAP(VARCHAR, VARCHAR), -- what both arms share -> digest; SuiteResult.conditions
    seconds       DOUBLE NOT NULL,      -- s, scoring time; SuiteResult.seconds
    output_tokens BIGINT,               -- written, NULL nothing was; SuiteResult.output_tokens
    stopped       VARCHAR,              -- floor, fail or pass, NULL asked to the end; SuiteResult.stopped
    axis          VARCHAR,              -- what the samples' levels count, '' none; SuiteResult.axis
    prompt_tokens BIGINT,               -- scored, NULL no choices; SuiteResult.prompt_tokens
    engine_busy_share DOUBLE            -- of the seconds, NULL no engine or unsaid; SuiteResult.engine_busy_share
);
ALTER TABLE kept.suites ADD COLUMN IF NOT EXISTS stopped VARCHAR;  -- of a ledger made before
ALTER TABLE kept.suites ADD COLUMN IF NOT EXISTS output_tokens BIGINT;  -- of a ledger made before
ALTER TABLE kept.suites ADD COLUMN IF NOT EXISTS axis VARCHAR;
ALTER TABLE kept.suites ADD COLUMN IF NOT EXISTS prompt_tokens BIGINT;
ALTER TABLE kept.suites ADD COLUMN IF NOT EXISTS engine_busy_share DOUBLE;

CREATE TABLE IF NOT EXISTS kept.samples (
    digest        VARCHAR NOT NULL,     -- sha256 hex; kept.evidence
    study         VARCHAR NOT NULL,     -- name; Record.study
    run           VARCHAR NOT NULL,     -- name; Record.run
    variant       VARCHAR NOT NULL,     -- name; Record.variant
    suite         VARCHAR NOT NULL,     -- name; SuiteResult.suite
    arm           VARCHAR NOT NULL,     -- baseline or variant; SuiteResult.arm
    path          VARCHAR NOT NULL,     -- artifact (in process) or engine; SuiteResult.path
    item          VARCHAR NOT NULL,     -- stable id of the item; Sample.item
    "cluster"     VARCHAR NOT NULL,     -- items of one source; Sample.cluster
    prompt_sha256 VARCHAR NOT NULL,     -- sha256 hex of the scored token ids; Sample.prompt_sha256
    is_correct    BOOLEAN,              -- NULL is issued and not answered; Sample.is_correct
    margin        DOUBLE,               -- nats per token, gold minus best wrong; Sample.margin
    choice        INTEGER,              -- index of the chosen option, gold is 0; Sample.choice
    is_degenerate BOOLEAN,              -- the answer is no language, NULL nothing written; Sample.is_degenerate
    is_cut        BOOLEAN,              -- it met the length limit, NULL nothing written; Sample.is_cut
    error         VARCHAR,              -- what is wrong with a written answer, '' nothing; Sample.error
    level         DOUBLE,               -- place on the suite's axis, NULL it has none; Sample.level
    opening       VARCHAR               -- how a written answer begins, NULL no answer; Sample.opening
);
ALTER TABLE kept.samples ADD COLUMN IF NOT EXISTS error VARCHAR;  -- of a ledger made before
ALTER TABLE kept.samples ADD COLUMN IF NOT EXISTS level DOUBLE;
ALTER TABLE kept.samples ADD COLUMN IF NOT EXISTS opening VARCHAR;

CREATE TABLE IF NOT EXISTS kept.fidelity (
    digest              VARCHAR NOT NULL,  -- sha256 hex; kept.evidence
    study               VARCHAR NOT NULL,  -- name; Record.study
    run                 VARCHAR NOT NULL,  -- name; Record.run
    variant             VARCHAR NOT NULL,  -- name; Record.variant
    num_positions       INTEGER NOT NULL,  -- token positions compared; Fidelity.num_positions
    num_documents       INTEGER NOT NULL,  -- documents; Fidelity.num_documents
    mean_kl             DOUBLE NOT NULL,   -- nats, KL(baseline || variant); Fidelity.mean_kl
    p99_kl              DOUBLE NOT NULL,   -- nats; Fidelity.p99_kl
    max_kl              DOUBLE NOT NULL,   -- nats; Fidelity.max_kl
    top1_agreement      DOUBLE NOT NULL,   -- share of positions, 0 to 1; Fidelity.top1_agreement
    perplexity_ratio    DOUBLE NOT NULL,   -- variant / baseline; Fidelity.perplexity_ratio
    null_mean_kl        DOUBLE NOT NULL,   -- nats, baseline against itself; Fidelity.null_mean_kl
    null_top1_agreement DOUBLE NOT NULL,   -- share, 0 to 1; Fidelity.null_top1_agreement
    num_nonfinite       INTEGER NOT NULL,  -- tokens with a NaN or infinity, of slices and positions too; Fidelity.num_nonfinite
    figures_json        JSON               -- the whole table of distance; Fidelity.figures
);
ALTER TABLE kept.fidelity ADD COLUMN IF NOT EXISTS figures_json JSON;  -- of a ledger made before

CREATE TABLE IF NOT EXISTS kept.fidelity_slices (
    digest           VARCHAR NOT NULL,  -- sha256 hex; kept.evidence
    study            VARCHAR NOT NULL,  -- name; Record.study
    run              VARCHAR NOT NULL,  -- name; Record.run
    variant          VARCHAR NOT NULL,  -- name; Record.variant
    name             VARCHAR NOT NULL,  -- role of the tokens, e.g. tool-call; FidelitySlice.name
    num_tokens       INTEGER NOT NULL,  -- tokens with a number in both arms; FidelitySlice.num_tokens
    num_passages     INTEGER NOT NULL,  -- passages they stand in; FidelitySlice.num_passages
    num_nonfinite    INTEGER NOT NULL,  -- tokens with a NaN or infinity; FidelitySlice.num_nonfinite
    mean_kl          DOUBLE,            -- nats, KL(baseline || variant); FidelitySlice.mean_kl
    kl_error         DOUBLE,            -- nats, standard error by passage; FidelitySlice.kl_error
    top1_agreement   DOUBLE,            -- share of tokens, 0 to 1; FidelitySlice.top1_agreement
    mean_delta_p     DOUBLE,            -- points of probability; FidelitySlice.mean_delta_p
    perplexity_ratio DOUBLE,            -- variant / baseline; FidelitySlice.perplexity_ratio
    ratio_lower      DOUBLE,            -- bound of the ratio at .95; FidelitySlice.ratio_lower
    ratio_upper      DOUBLE,            -- bound of the ratio at .95; FidelitySlice.ratio_upper
    null_mean_kl     DOUBLE NOT NULL    -- nats, baseline against itself; FidelitySlice.null_mean_kl
);

CREATE TABLE IF NOT EXISTS kept.fidelity_positions (
    digest              VARCHAR NOT NULL,  -- sha256 hex; kept.evidence
    study               VARCHAR NOT NULL,  -- name; Record.study
    run                 VARCHAR NOT NULL,  -- name; Record.run
    variant             VARCHAR NOT NULL,  -- name; Record.variant
    start_token         INTEGER NOT NULL,  -- tokens before the first; FidelityBucket.start_token
    end_token           INTEGER NOT NULL,  -- first position beyond; FidelityBucket.end_token
    num_tokens          INTEGER NOT NULL,  -- tokens with a number in both arms; FidelityBucket.num_tokens
    num_passages        INTEGER NOT NULL,  -- long passages they stand in; FidelityBucket.num_passages
    num_nonfinite       INTEGER NOT NULL,  -- tokens with a NaN or infinity; FidelityBucket.num_nonfinite
    mean_kl             DOUBLE,            -- nats, KL(baseline || variant); FidelityBucket.mean_kl
    kl_lower            DOUBLE,            -- nats, bound at .95; FidelityBucket.kl_lower
    kl_upper            DOUBLE,            -- nats, bound at .95; FidelityBucket.kl_upper
    baseline_perplexity DOUBLE,            -- e to the nats a token; FidelityBucket.baseline_perplexity
    variant_perplexity  DOUBLE,            -- e to the nats a token; FidelityBucket.variant_perplexity
    perplexity_ratio    DOUBLE,            -- variant / baseline; FidelityBucket.perplexity_ratio
    ratio_lower         DOUBLE,            -- bound of the ratio at .95; FidelityBucket.ratio_lower
    ratio_upper         DOUBLE,            -- bound of the ratio at .95; FidelityBucket.ratio_upper
    null_mean_kl        DOUBLE NOT NULL    -- nats, baseline against itself; FidelityBucket.null_mean_kl
);

CREATE TABLE IF NOT EXISTS kept.checks (
    digest        VARCHAR NOT NULL,     -- sha256 hex; kept.evidence
    study         VARCHAR NOT NULL,     -- name; Record.study
    run           VARCHAR NOT NULL,     -- name; Record.run
    variant       VARCHAR NOT NULL,     -- name; Record.variant
    stage         VARCHAR NOT NULL,     -- plan, build, audit, identity, coherence, pace; Check.stage
    name          VARCHAR NOT NULL,     -- name; Check.name
    passed        BOOLEAN,              -- NULL is could not be looked at; Check.passed
    reason        VARCHAR NOT NULL,     -- what was seen, and what to do; Check.reason
    num_together  BIGINT,               -- looks taken in one go with it; Check.num_together
    values_json   JSON                  -- name -> value, unit in the name; Check.values
);

CREATE TABLE IF NOT EXISTS kept.artifacts (
    digest             VARCHAR NOT NULL,       -- sha256 hex; kept.evidence
    study              VARCHAR NOT NULL,       -- name; Record.study
    run                VARCHAR NOT NULL,       -- name; Record.run
    variant            VARCHAR NOT NULL,       -- name; Record.variant
    fingerprint        VARCHAR NOT NULL,       -- 16 hex digits, the artifact's name; Artifact.fingerprint
    files              MAP(VARCHAR, VARCHAR),  -- relative path -> sha256 hex; Artifact.files
    num_bytes          BIGINT NOT NULL,        -- bytes of all files; Artifact.num_bytes
    weight_bytes       BIGINT NOT NULL,        -- bytes of the tensors; Artifact.weight_bytes
    effective_bits     DOUBLE NOT NULL,        -- bits per weight, linear layers; Artifact.effective_bits
    build_seconds      DOUBLE NOT NULL,        -- s; Artifact.build_seconds
    was_cached         BOOLEAN NOT NULL,       -- a verified artifact was found; Artifact.was_cached
    tools              MAP(VARCHAR, VARCHAR),  -- package -> version; Artifact.tools
    calibration_sha256 VARCHAR,                -- sha256 hex of the calibration set; Artifact.calibration_sha256
    calibration_json   JSON,                   -- set, draw, licence, NULL none; Artifact.calibration
    note               VARCHAR NOT NULL,       -- text; Artifact.note
    is_calibration_unknown BOOLEAN,            -- made by others, who do not say; Artifact.is_calibration_unknown
    library_seconds    DOUBLE,                 -- s of build_seconds, NULL not measured; Artifact.library_seconds
    device_hours       DOUBLE,                 -- h, times the devices held; Artifact.device_hours
    peak_host_bytes    BIGINT,                 -- bytes, of the building process; Artifact.peak_host_bytes
    peak_device_bytes  BIGINT,                 -- bytes, NULL no device; Artifact.peak_device_bytes
    stage_seconds      MAP(VARCHAR, DOUBLE)    -- stage -> s; Artifact.stage_seconds
);
ALTER TABLE kept.artifacts ADD COLUMN IF NOT EXISTS calibration_json JSON;  -- of a ledger made before
ALTER TABLE kept.artifacts ADD COLUMN IF NOT EXISTS is_calibration_unknown BOOLEAN;
ALTER TABLE kept.artifacts ADD COLUMN IF NOT EXISTS library_seconds DOUBLE;
ALTER TABLE kept.artifacts ADD COLUMN IF NOT EXISTS device_hours DOUBLE;
ALTER TABLE kept.artifacts ADD COLUMN IF NOT EXISTS peak_host_bytes BIGINT;
ALTER TABLE kept.artifacts ADD COLUMN IF NOT EXISTS peak_device_bytes BIGINT;
ALTER TABLE kept.artifacts ADD COLUMN IF NOT EXISTS stage_seconds MAP(VARCHAR, DOUBLE);

CREATE TABLE IF NOT EXISTS kept.startups (
    digest        VARCHAR NOT NULL,     -- sha256 hex; kept.evidence
    study         VARCHAR NOT NULL,     -- name; Record.study
    run           VARCHAR NOT NULL,     -- name; Record.run
    variant       VARCHAR NOT NULL,     -- name; Record.variant
    arm           VARCHAR NOT NULL,     -- baseline or variant; StartUp.arm
    temperature   VARCHAR NOT NULL,     -- cold or warm (compile cache); StartUp.temperature
    ready_s       DOUBLE NOT NULL,      -- s, launch to ready; StartUp.ready_s
    first_token_s DOUBLE,               -- s, launch to first token; StartUp.first_token_s
    load_s        DOUBLE,               -- s, weights, engine's figure; StartUp.load_s
    compile_s     DOUBLE,               -- s, compiling, engine's figure; StartUp.compile_s
    cache_hit     BOOLEAN,              -- proven from the log, NULL unknown; StartUp.cache_hit
    cache         VARCHAR               -- which packaged cache it began with, or why none; StartUp.cache
);
ALTER TABLE kept.startups ADD COLUMN IF NOT EXISTS cache VARCHAR;  -- of a ledger made before

CREATE TABLE IF NOT EXISTS kept.compilations (
    digest             VARCHAR NOT NULL,  -- sha256 hex; kept.evidence
    study              VARCHAR NOT NULL,  -- name; Record.study
    run                VARCHAR NOT NULL,  -- name; Record.run
    variant            VARCHAR NOT NULL,  -- name; Record.variant
    cell               VARCHAR NOT NULL,  -- load of the seconds per request; Compilation.cell
    cold_extra_s       DOUBLE NOT NULL,   -- s beyond the baseline to the first token; Compilation.cold_extra_s
    warm_extra_s       DOUBLE,            -- s, the same after a warm start; Compilation.warm_extra_s
    warm_hit           BOOLEAN,           -- proven from the log, NULL unknown; Compilation.warm_hit
    baseline_request_s DOUBLE NOT NULL,   -- s per request; Compilation.baseline_request_s
    variant_request_s  DOUBLE NOT NULL,   -- s per request; Compilation.variant_request_s
    cold_requests      DOUBLE,            -- requests to break even, NULL never; Compilation.cold_requests
    warm_requests      DOUBLE,            -- requests, the same after a warm start; Compilation.warm_requests
    cache_key          VARCHAR,           -- 16 hex digits of the packaged cache; Compilation.cache_key
    cache_bytes        BIGINT             -- bytes of the packaged cache; Compilation.cache_bytes
);

CREATE TABLE IF NOT EXISTS kept.speculations (
    digest                VARCHAR NOT NULL,  -- sha256 hex; kept.evidence
    study                 VARCHAR NOT NULL,  -- name; Record.study
    run                   VARCHAR NOT NULL,  -- name; Record.run
    variant               VARCHAR NOT NULL,  -- name; Record.variant
    data_class            VARCHAR NOT NULL,  -- code, prose, json, calls, chat; Speculated.data_class
    concurrency           INTEGER NOT NULL,  -- requests in flight; Speculated.concurrency
    num_requests          INTEGER NOT NULL,  -- requests; Speculated.num_requests
    output_tokens         BIGINT NOT NULL,   -- tokens; Speculated.output_tokens
    num_drafts            DOUBLE,            -- steps with a draft, NULL not told; Speculated.num_drafts
    drafted_tokens        DOUBLE,            -- tokens; Speculated.drafted_tokens
    accepted_tokens       DOUBLE,            -- tokens; Speculated.accepted_tokens
    acceptance_length     DOUBLE,            -- tokens per step, 1 + accepted / drafts; Speculated.acceptance_length
    acceptance_rate       DOUBLE,            -- accepted / drafted, 0 to 1; Speculated.acceptance_rate
    output_tokens_per_s   DOUBLE NOT NULL,   -- tokens/s; Speculated.output_tokens_per_s
    baseline_tokens_per_s DOUBLE NOT NULL    -- tokens/s, without speculation; Speculated.baseline_tokens_per_s
);

CREATE TABLE IF NOT EXISTS kept.memory (
    digest                   VARCHAR NOT NULL,  -- sha256 hex; kept.evidence
    study                    VARCHAR NOT NULL,  -- name; Record.study
    run                      VARCHAR NOT NULL,  -- name; Record.run
    variant                  VARCHAR NOT NULL,  -- name; Record.variant
    arm                      VARCHAR NOT NULL,  -- baseline or variant; Memory.arm
    predicted_weight_bytes   BIGINT NOT NULL,   -- bytes; Memory.predicted_weight_bytes
    predicted_kv_cache_bytes BIGINT NOT NULL,   -- bytes; Memory.predicted_kv_cache_bytes
    weight_bytes             BIGINT NOT NULL,   -- bytes, as loaded; Memory.weight_bytes
    draft_bytes              BIGINT,            -- bytes of the draft, NULL none; Memory.draft_bytes
    kv_cache_bytes           BIGINT,            -- bytes, engine's figure; Memory.kv_cache_bytes
    kv_cache_tokens          BIGINT,            -- tokens, engine's figure; Memory.kv_cache_tokens
    peak_process_bytes       BIGINT             -- bytes resident, all processes; Memory.peak_process_bytes
);

ALTER TABLE kept.memory ADD COLUMN IF NOT EXISTS draft_bytes BIGINT;  -- of a ledger made before

CREATE TABLE IF NOT EXISTS kept.configs (
    digest        VARCHAR NOT NULL,       -- sha256 hex; kept.evidence
    study         VARCHAR NOT NULL,       -- name; Record.study
    run           VARCHAR NOT NULL,       -- name; Record.run
    variant       VARCHAR NOT NULL,       -- name; Record.variant
    arm           VARCHAR NOT NULL,       -- baseline or variant; EffectiveConfig.arm
    engine        VARCHAR NOT NULL,       -- name; EffectiveConfig.engine
    version       VARCHAR NOT NULL,       -- version; EffectiveConfig.version
    command       VARCHAR[],              -- arguments as launched; EffectiveConfig.command
    environment   MAP(VARCHAR, VARCHAR),  -- variable -> value; EffectiveConfig.environment
    reported      MAP(VARCHAR, VARCHAR)   -- setting -> engine's words; EffectiveConfig.reported
);

CREATE TABLE IF NOT EXISTS kept.runs (
    digest        VARCHAR PRIMARY KEY,  -- fingerprint of the entry; reports.kept.entries.RunEnd
    study         VARCHAR NOT NULL,     -- name; RunEnd.study
    run           VARCHAR NOT NULL,     -- name; RunEnd.run
    started_at    TIMESTAMP NOT NULL,   -- UTC; RunEnd.started_at
    ended_at      TIMESTAMP NOT NULL,   -- UTC; RunEnd.ended_at
    exit_code     INTEGER NOT NULL      -- 0 promoted, 10 rejected, 20 hold, else error; RunEnd.exit_code
);

CREATE TABLE IF NOT EXISTS kept.settings (
    digest        VARCHAR PRIMARY KEY,    -- fingerprint of the entry; reports.kept.entries.Setting
    study         VARCHAR NOT NULL,       -- name; Setting.study
    run           VARCHAR NOT NULL,       -- name; Setting.run
    "at"          TIMESTAMP NOT NULL,     -- UTC; Setting.at
    hardware_json JSON NOT NULL,          -- processor, memory, accelerators, system; Setting.hardware
    tools         MAP(VARCHAR, VARCHAR),  -- package -> version; Setting.tools
    engines       MAP(VARCHAR, VARCHAR),  -- list of packages -> sha256 hex; Setting.engines
    commands      VARCHAR[],              -- to run, go on or tell again; Setting.commands
    policy_json   JSON,                   -- what was asked, whole; Setting.policy
    base          VARCHAR,                -- name or address; Setting.base
    target        VARCHAR,                -- cpu or cuda; Setting.target
    service_class VARCHAR,                -- name; Setting.service_class
    price_per_device_hour DOUBLE          -- USD, NULL not given; Setting.price_per_device_hour
);
ALTER TABLE kept.settings ADD COLUMN IF NOT EXISTS policy_json JSON;  -- of a ledger made before
ALTER TABLE kept.settings ADD COLUMN IF NOT EXISTS base VARCHAR;
ALTER TABLE kept.settings ADD COLUMN IF NOT EXISTS target VARCHAR;
ALTER TABLE kept.settings ADD COLUMN IF NOT EXISTS service_class VARCHAR;
ALTER TABLE kept.settings ADD COLUMN IF NOT EXISTS price_per_device_hour DOUBLE;

CREATE TABLE IF NOT EXISTS kept.stages (
    digest        VARCHAR NOT NULL,     -- fingerprint of the entry; kept.runs
    study         VARCHAR NOT NULL,     -- name; RunEnd.study
    run           VARCHAR NOT NULL,     -- name; RunEnd.run
    position      INTEGER NOT NULL,     -- order in the run, from 0; RunEnd.stages
    stage         VARCHAR NOT NULL,     -- name; Stage.name
    seconds       DOUBLE NOT NULL       -- s; Stage.seconds
);

CREATE TABLE IF NOT EXISTS kept.decisions (
    digest         VARCHAR PRIMARY KEY, -- fingerprint of the decision; evals.gates.decision.Decision
    study          VARCHAR NOT NULL,    -- name; Decision.study
    run            VARCHAR NOT NULL,    -- name; Decision.run
    variant        VARCHAR NOT NULL,    -- name; Decision.variant
    outcome        VARCHAR NOT NULL,    -- PROMOTE, REJECT or HOLD; Decision.outcome
    deciding_gate  VARCHAR,             -- name of the gate; Decision.deciding_gate
    reason         VARCHAR NOT NULL,    -- the one reason that decided; Decision.reason
    stopped_at     VARCHAR,             -- stage of the first blocking FAIL; Decision.stopped_at
    settle_json    JSON,                -- what would settle a HOLD, with minutes; Decision.settle
    not_asked      VARCHAR[],           -- gates that do not apply to the class; Decision.not_asked
    waivers_json   JSON,                -- waivers the decision rests on; Decision.waivers
    refused_waivers VARCHAR[],          -- waivers not used, and why; Decision.refused_waivers
    judged_at      VARCHAR,             -- UTC, when waivers were asked, NULL there was none; Decision.judged_at
    change_class   VARCHAR NOT NULL,    -- lossless, 8-bit or 4-bit; Decision.change_class
    model_class    VARCHAR NOT NULL,    -- up to 3B or above 3B; Decision.model_class
    margin         VARCHAR NOT NULL,    -- accuracy margin in words; Decision.margin
    policy         VARCHAR NOT NULL,    -- name; Decision.policy
    policy_sha256  VARCHAR NOT NULL,    -- sha256 hex of the policy file; Decision.policy_sha256
    evidence_sha256 VARCHAR NOT NULL,   -- sha256 hex of all records' digests; Decision.evidence_sha256
    cells_json     JSON,                -- cells won, lost, undecided; Decision.cells
    gains_json     JSON,                -- relative gains, > 0 is better; Decision.gains
    envelope_json  JSON                 -- performance gates cell by cell; Decision.envelope
);

CREATE TABLE IF NOT EXISTS kept.gates (
    digest        VARCHAR NOT NULL,     -- fingerprint of the decision; kept.decisions
    study         VARCHAR NOT NULL,     -- name; Decision.study
    run           VARCHAR NOT NULL,     -- name; Decision.run
    variant       VARCHAR NOT NULL,     -- name; Decision.variant
    gate          VARCHAR NOT NULL,     -- name; Verdict.gate
    tier          VARCHAR NOT NULL,     -- critical, required or advisory; Verdict.tier
    kind          VARCHAR NOT NULL,     -- how it is judged; Verdict.kind
    outcome       VARCHAR NOT NULL,     -- PASS, FAIL, INCONCLUSIVE, NOT_APPLICABLE; Verdict.outcome
    reason        VARCHAR NOT NULL,     -- text; Verdict.reason
    metric        VARCHAR,              -- name; Verdict.metric
    unit          VARCHAR,              -- unit of estimate, bounds and margin; Verdict.unit
    direction     VARCHAR,              -- which way is better; Verdict.direction
    n             INTEGER,              -- items or repeats; Verdict.n
    n_effective   INTEGER,              -- independent items that n is worth; Verdict.n_effective
    baseline_only INTEGER,              -- b, items lost; Verdict.baseline_only
    variant_only  INTEGER,              -- c, items won; Verdict.variant_only
    estimate      DOUBLE,               -- in `unit`; Verdict.estimate
    lower         DOUBLE,               -- in `unit`, bound; Verdict.lower
    upper         DOUBLE,               -- in `unit`, bound; Verdict.upper
    margin        DOUBLE,               -- in `unit`; Verdict.margin
    detectable    DOUBLE,               -- in `unit`, told from none with power .8; Verdict.detectable
    n_needed      INTEGER,              -- items or repeats that would settle it; Verdict.n_needed
    null_flips    DOUBLE,               -- share of items that flip in the null arm; Verdict.null_flips
    mcnemar_p     DOUBLE,               -- exact, one-sided, of harm; Verdict.mcnemar_p
    holm_p        DOUBLE,               -- the same among all suites; Verdict.holm_p
    waived_by     VARCHAR,              -- who answers for going on without it; Verdict.waived_by
    evidence_sha256 VARCHAR,            -- sha256 hex of the records' digests; Verdict.evidence_sha256
    details_json  JSON                  -- rows behind the verdict; Verdict.details
);
ALTER TABLE kept.gates ADD COLUMN IF NOT EXISTS n_effective INTEGER;  -- of a ledger made before

CREATE TABLE IF NOT EXISTS kept.promotions (
    digest        VARCHAR PRIMARY KEY,  -- fingerprint of the entry; reports.kept.entries.Promotion
    study         VARCHAR NOT NULL,     -- name; Promotion.study
    run           VARCHAR NOT NULL,     -- name; Promotion.run
    variant       VARCHAR NOT NULL,     -- name; Promotion.variant
    channel       VARCHAR NOT NULL,     -- name of the pointer; Promotion.channel
    fingerprint   VARCHAR NOT NULL,     -- 16 hex digits of what it points to; Promotion.fingerprint
    action        VARCHAR NOT NULL,     -- move, confirm, rollback, undo or force; Promotion.action
    "at"          TIMESTAMP NOT NULL,   -- UTC; Promotion.at
    reason        VARCHAR NOT NULL      -- text; Promotion.reason
);

CREATE OR REPLACE VIEW evidence AS SELECT * FROM kept.evidence;
CREATE OR REPLACE VIEW bindings AS SELECT * FROM kept.bindings;
CREATE OR REPLACE VIEW cells AS SELECT * FROM kept.cells;
CREATE OR REPLACE VIEW tenants AS
    SELECT c.study, c.run, c.variant, c.name AS cell, c.arm, c.repeat,
        t.value ->> 'name' AS tenant,
        CAST(t.value -> 'num_judged' AS INTEGER) AS num_judged,
        CAST(t.value -> 'num_ok' AS INTEGER) AS num_ok,
        CAST(t.value ->> 'attainment' AS DOUBLE) AS attainment,
        CAST(t.value -> 'prompt_tokens' AS BIGINT) AS prompt_tokens,
        CAST(t.value ->> 'cached_tokens' AS BIGINT) AS cached_tokens,
        CAST(t.value -> 'output_tokens' AS BIGINT) AS output_tokens,
        CAST(t.value -> 'share' AS DOUBLE) AS share
    FROM kept.cells AS c, json_each(c.tenants_json) AS t;
CREATE OR REPLACE VIEW suites AS SELECT * FROM kept.suites;
CREATE OR REPLACE VIEW samples AS SELECT * FROM kept.samples;
CREATE OR REPLACE VIEW fidelity AS SELECT * FROM kept.fidelity;
CREATE OR REPLACE VIEW fidelity_slices AS SELECT * FROM kept.fidelity_slices;
CREATE OR REPLACE VIEW fidelity_positions AS SELECT * FROM kept.fidelity_positions;
CREATE OR REPLACE VIEW checks AS SELECT * FROM kept.checks;
CREATE OR REPLACE VIEW artifacts AS SELECT * FROM kept.artifacts;
CREATE OR REPLACE VIEW startups AS SELECT * FROM kept.startups;
CREATE OR REPLACE VIEW compilations AS SELECT * FROM kept.compilations;
CREATE OR REPLACE VIEW speculations AS SELECT * FROM kept.speculations;
CREATE OR REPLACE VIEW memory AS SELECT * FROM kept.memory;
CREATE OR REPLACE VIEW configs AS SELECT * FROM kept.configs;
CREATE OR REPLACE VIEW settings AS SELECT * FROM kept.settings;
CREATE OR REPLACE VIEW stages AS SELECT * FROM kept.stages;
CREATE OR REPLACE VIEW decisions AS SELECT * FROM kept.decisions;
CREATE OR REPLACE VIEW gates AS SELECT * FROM kept.gates;
CREATE OR REPLACE VIEW promotions AS SELECT * FROM kept.promotions;

-- One row per variant of a run; a run that has not ended has no ended_at.
CREATE OR REPLACE VIEW runs AS
WITH seen AS (
    SELECT study, run, variant FROM kept.evidence
    UNION
    SELECT study, run, variant FROM kept.decisions
)
SELECT seen.study, seen.run, seen.variant, ends.started_at, ends.ended_at, ends.exit_code,
       decisions.outcome
FROM seen
LEFT JOIN kept.runs AS ends USING (study, run)
LEFT JOIN kept.decisions AS decisions USING (study, run, variant);
