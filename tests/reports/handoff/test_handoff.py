"""The folder that deploys: its command is the one that was qualified, and its sums hold."""

import json
import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from reports.certificate.__main__ import main as certificate
from reports.certificate.issuing import issue
from reports.certificate.keys import VARIABLE
from reports.handoff.__main__ import main
from reports.handoff.deployment import in_shell
from reports.handoff.triton import engine_settings
from tests.reports import past
from tests.reports.certificate.promoted import ARTIFACT, RUN, WEIGHTS, make, write_command
from variants.engines.adapter import Launch
from variants.engines.vllm import Vllm
from variants.home import Home
from variants.kept.store import Store
from variants.specs.spec import Serving

SHOW = '#!/bin/sh\nenv | grep VLLM\nfor a in "$@"; do printf \'arg %s\\n\' "$a"; done\n'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    root = tmp_path / "a home"  # with a space: every path is quoted
    monkeypatch.setenv("TOUCHSTONE_HOME", str(root))
    monkeypatch.delenv(VARIABLE, raising=False)
    made = make(root)
    issue(made, RUN, datetime.now(UTC))
    return made


@pytest.fixture
def folder(home: Home) -> Path:
    assert main([RUN]) == 0
    return home.handoff(RUN)


def served(folder: Path, tmp_path: Path, **variables: str) -> list[str]:
    """Run serve.sh with an interpreter that only says what it was asked."""
    python = tmp_path / "python"
    python.write_text(SHOW)
    python.chmod(0o755)
    done = subprocess.run(
        [folder / "serve.sh"], env=os.environ | {"ENGINE_PYTHON": str(python)} | variables,
        text=True, capture_output=True, check=True,
    )  # fmt: skip
    return done.stdout.splitlines()


def test_the_command_is_the_one_that_was_qualified(folder: Path, tmp_path: Path) -> None:
    serving = Serving(mode="compiled")  # of the made-up study's champion
    launch = Launch(folder / "model", serving, 9000, folder / "cache")
    said = served(folder, tmp_path, PORT="9000")
    arguments = [line.removeprefix("arg ") for line in said if line.startswith("arg ")]
    assert arguments == Vllm().command(Path("python"), launch)[1:]
    variables = dict(line.split("=", 1) for line in said if not line.startswith("arg "))
    expected = Vllm().variables(launch)
    assert variables["VLLM_CACHE_ROOT"] == expected["VLLM_CACHE_ROOT"]
    assert "VLLM_SERVER_DEV_MODE" not in variables  # opens what only measuring needs
    assert variables["VLLM_CPU_KVCACHE_SPACE"] == "1"


def test_its_own_checks_hold_and_fail(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    checked = subprocess.run(["sha256sum", "-c", "--quiet", "SHA256SUMS"], cwd=folder, check=False)
    assert checked.returncode == 0
    verify = ["verify", str(folder / "certificate.json"), "--artifact", str(folder / "model"),
              "--key", str(folder / "certificate.pub.pem"), "--elsewhere"]  # fmt: skip
    assert certificate(verify) == 0
    (folder / "model" / WEIGHTS).write_bytes(b"weighty")
    assert certificate(verify) == 1
    assert f"{WEIGHTS} is not the file that was qualified" in capsys.readouterr().out


def test_manifests_are_what_they_are_for(folder: Path) -> None:
    deployment, service = yaml.safe_load_all((folder / "kubernetes.yaml").read_text())
    assert (deployment["apiVersion"], deployment["kind"]) == ("apps/v1", "Deployment")
    pod = deployment["spec"]["template"]
    labels = deployment["spec"]["selector"]["matchLabels"]
    assert labels == pod["metadata"]["labels"] == service["spec"]["selector"]
    (container,) = pod["spec"]["containers"]
    assert container["args"][:2] == ["-m", "vllm.entrypoints.openai.api_server"]
    mounted = {one["name"] for one in container["volumeMounts"]}
    assert mounted == {one["name"] for one in pod["spec"]["volumes"]}
    assert container["startupProbe"]["failureThreshold"] >= 6
    assert container["resources"]["limits"]["memory"].endswith("Gi")
    values = yaml.safe_load((folder / "llm-d.values.yaml").read_text())
    assert values["decode"]["containers"][0]["args"] == container["args"]
    assert values["prefill"] == {"create": False}
    model = json.loads((folder / "triton/compiled/1/model.json").read_text())
    assert model["model"] == "/handoff/model"
    assert model["max_model_len"] == 2048
    assert "host" not in model
    entry = (folder / "Containerfile").read_text().rstrip().splitlines()[-1]
    assert json.loads(entry.removeprefix("ENTRYPOINT ")) == ["python", *container["args"]]


def test_what_would_be_started_otherwise_is_not_handed_over(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    write_command(home, "--max-num-seqs", "4")
    assert main([RUN]) == 1
    assert "qualified with '--max-num-seqs' where this version gives 'nothing'" in (
        capsys.readouterr().err
    )
    assert not home.handoff(RUN).exists()


@pytest.mark.parametrize(
    ("argument", "quoted"),
    [
        ("/handoff/model", '"$here"/model'),
        ("tone=/handoff/adapters/tone", 'tone="$here"/adapters/tone'),
        ("$(touch /x); `y` 'z'", "'$(touch /x); `y` '\"'\"'z'\"'\"''"),
        ("", "''"),
    ],
)
def test_no_argument_is_run_by_the_shell(argument: str, quoted: str) -> None:
    assert in_shell(argument) == quoted


def test_options_become_fields() -> None:
    command = ["-m", "x", "--port", "1", "--max-num-seqs", "4", "--enforce-eager",
               "--compilation-config", '{"mode": 0}', "--lora-modules", "a=/a", "b=/b"]  # fmt: skip
    assert engine_settings(command) == {
        "max_num_seqs": 4, "enforce_eager": True, "compilation_config": {"mode": 0},
        "lora_modules": ["a=/a", "b=/b"],
    }  # fmt: skip


def test_what_cannot_be_handed_over_leaves_nothing(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([past.SECOND]) == 1
    assert "there is no certificate" in capsys.readouterr().err
    taken = tmp_path / "taken"
    taken.mkdir()
    (taken / "mine").write_text("x")
    assert main([RUN, "--to", str(taken)]) == 1
    assert "is not empty" in capsys.readouterr().err
    (Store(home.store).folder(ARTIFACT) / WEIGHTS).write_bytes(b"weighty")
    assert main([RUN]) == 1
    assert "model is not as it was qualified" in capsys.readouterr().err
    assert list(home.handoff(RUN).parent.glob("*")) == []
