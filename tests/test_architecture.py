"""The house, checked: who imports whom, who may import what, and how large things grow."""

import ast
import importlib
import inspect
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prefect.flows import Flow, load_flow_from_entrypoint

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("variants", "evals", "reports", "tasks", "flows")
ORCHESTRATOR = "prefect"
HEAVY = {
    "torch", "transformers", "llmcompressor", "compressed_tensors", "peft", "lm_eval", "datasets",
    "duckdb", "httpx", "httptools", "msgspec", "pyarrow", "huggingface_hub", "requests", "uvloop",
    "jsonschema", "pynvml", "tokenizers", "boto3", "botocore", "cryptography",
}  # fmt: skip
# The adapters: the only files that may import these libraries.
ADAPTERS: dict[str, set[str]] = {
    "reports/certificate/keys.py": {"cryptography"},
    "reports/certificate/signed.py": {"cryptography"},
    "reports/publishing/hub.py": {"huggingface_hub"},
    "reports/publishing/rest.py": {"httpx"},
    "reports/publishing/s3.py": {"boto3", "botocore"},
    "variants/audit/tokenizing.py": {"tokenizers"},
    "variants/builders/bf16.py": {"torch", "transformers"},
    "variants/builders/merge.py": {"torch", "transformers"},
    "variants/builders/modifiers.py": {"torch", "llmcompressor", "compressed_tensors"},
    "variants/builders/quantize.py": {"torch", "transformers", "llmcompressor", "datasets"},
    "variants/engines/scripted/connection.py": {"httptools"},
    "variants/sources/hub.py": {"httpx", "huggingface_hub"},
    "evals/performance/readers/nvml.py": {"pynvml"},
    "evals/performance/client/chunk.py": {"msgspec"},
    "evals/performance/client/connection.py": {"httptools"},
    "evals/performance/client/request.py": {"msgspec"},
    "evals/performance/client/sender.py": {"uvloop"},
    "evals/performance/scrape.py": {"httpx"},
    "evals/performance/trace_file.py": {"pyarrow"},
    "evals/suites/adapted_model.py": {"torch"},
    "evals/suites/artifact_model.py": {"torch", "transformers"},
    "evals/suites/canaries.py": {"torch"},
    "evals/suites/endpoint_model.py": {"httpx"},
    "evals/suites/fidelity/measuring.py": {"torch"},
    "evals/suites/language_model.py": {"lm_eval"},
    "evals/suites/named_task.py": {"lm_eval"},
    "evals/suites/scoring.py": {"lm_eval", "datasets"},
    "evals/suites/structured/validation.py": {"jsonschema"},
    "evals/suites/tokenizer.py": {"transformers"},
    "evals/suites/writer.py": {"httpx"},
    "reports/figures/distributions.py": {"duckdb"},
    "reports/ledger.py": {"duckdb", "pyarrow"},
}  # fmt: skip
UNTOLD_NAMES = {"utils", "util", "helpers", "common", "misc", "manager", "data", "info"}
MAX_MODULE_LINES, MAX_FUNCTION_LINES, MAX_TEST_LINES = 250, 40, 400
MAX_FLOW_LINES, MAX_TASK_LINES, MAX_README_LINES, MAX_DEPTH = 40, 15, 30, 3


def modules(*packages: str) -> list[Path]:
    return sorted(path for package in packages for path in (ROOT / package).rglob("*.py"))


OURS = modules(*PACKAGES)
NAMES = [str(path.relative_to(ROOT)) for path in OURS]
each_module = pytest.mark.parametrize("path", OURS, ids=NAMES)


def imported(path: Path) -> set[str]:
    """Name the top packages that a module imports, inside functions too."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    plain = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    froms = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    return {name.split(".")[0] for name in plain + froms}


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def num_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def num_own_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the lines below signature and docstring."""
    body = node.body[1:] if ast.get_docstring(node) else node.body
    return (node.end_lineno or node.lineno) - body[0].lineno + 1 if body else 0


def decorators(node: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    called = (one.func if isinstance(one, ast.Call) else one for one in node.decorator_list)
    return {one.id for one in called if isinstance(one, ast.Name)}


def test_the_import_contracts_hold() -> None:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout


@each_module
def test_imports_go_one_way(path: Path) -> None:
    own = PACKAGES.index(path.relative_to(ROOT).parts[0])
    assert imported(path).isdisjoint(PACKAGES[own + 1 :]), path


@each_module
def test_only_flows_and_tasks_know_the_orchestrator(path: Path) -> None:
    if path.relative_to(ROOT).parts[0] not in ("flows", "tasks"):
        assert ORCHESTRATOR not in imported(path), path


@each_module
def test_only_the_named_adapters_import_heavy_libraries(path: Path) -> None:
    allowed = ADAPTERS.get(str(path.relative_to(ROOT)), set())
    assert imported(path) & HEAVY == allowed, "change ADAPTERS only on purpose"


def test_every_named_adapter_exists() -> None:
    assert [name for name in ADAPTERS if not (ROOT / name).is_file()] == []


@each_module
def test_modules_and_functions_stay_small(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= MAX_MODULE_LINES, f"{path} has {len(lines)} lines"
    for node in functions(path):
        assert num_lines(node) <= MAX_FUNCTION_LINES, f"{path}: {node.name}"


def test_flows_and_tasks_stay_thin() -> None:
    limits = {"flow": MAX_FLOW_LINES, "task": MAX_TASK_LINES}
    long = [
        f"{path.relative_to(ROOT)}: {node.name} has {num_own_lines(node)} lines, {kind}s {limit}"
        for path in modules("tasks", "flows")
        for node in functions(path)
        for kind, limit in limits.items()
        if kind in decorators(node) and num_own_lines(node) > limit
    ]
    assert long == []


@pytest.mark.parametrize("path", modules("tests"), ids=lambda path: str(path.relative_to(ROOT)))
def test_test_modules_stay_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_TEST_LINES


@each_module
def test_names_tell_what_is_inside(path: Path) -> None:
    parts = path.relative_to(ROOT).with_suffix("").parts
    assert UNTOLD_NAMES.isdisjoint(parts), path
    assert len(parts) <= MAX_DEPTH + 1, path


def test_no_flow_hides_a_package_or_a_standard_module() -> None:
    stems = {path.stem for path in modules("flows")} - {"__init__"}
    assert stems.isdisjoint(PACKAGES)
    assert stems.isdisjoint(sys.stdlib_module_names)


@pytest.mark.parametrize("package", PACKAGES)
def test_the_packages_found_are_ours(package: str) -> None:
    found = importlib.import_module(package).__file__
    assert found == str(ROOT / package / "__init__.py")


@pytest.mark.parametrize("package", [*PACKAGES, "tests"])
def test_every_package_says_what_it_is_for(package: str) -> None:
    lines = (ROOT / package / "README.md").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith(f"# {package}")
    assert len(lines) <= MAX_README_LINES


def test_every_test_folder_is_a_package() -> None:
    folders = {path.parent for path in modules("tests")}
    assert [folder for folder in folders if not (folder / "__init__.py").is_file()] == []


def deployments() -> list[dict[str, Any]]:
    path = ROOT / "prefect.yaml"
    if not path.is_file():
        pytest.skip("prefect.yaml is not written yet")
    loaded: list[dict[str, Any]] = yaml.safe_load(path.read_text(encoding="utf-8"))["deployments"]
    return loaded


def test_every_deployment_has_a_flow_that_takes_its_parameters() -> None:
    assert deployments()
    for deployment in deployments():
        flow: Flow[..., Any] = load_flow_from_entrypoint(deployment["entrypoint"])
        parameters = deployment.get("parameters", {})
        if deployment["entrypoint"].endswith(".qualify_variant"):  # its parent gives them
            assert not deployment.get("schedules")
            continue
        inspect.signature(flow.fn).bind(**parameters)
        flow.validate_parameters(parameters)


def test_the_sender_starts_without_what_draws_plans() -> None:
    """It is a process of its own: what it loads counts in its start and its memory."""
    told = subprocess.run(
        [sys.executable, "-c",
         "import sys, evals.performance.client.sender; print('numpy' in sys.modules)"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert told.stdout.strip() == "False"


def test_every_dependency_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    locked = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    assert all("==" in line for line in locked)
    names = {plain(line.partition("==")[0]) for line in locked}
    assert [one for one in asked if plain(re.split(r"[\[<>=!~ ]", one)[0]) not in names] == []


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
