"""A variant's adapters from the store to the endpoint, on a base of two layers written by hand."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tasks import adapters as module
from tasks.compare import REFERENCE, canary_reference
from tests.variants.adapters.hand import adapter, base, f32, matrices
from variants.catalogue import variant_of
from variants.engines.adapter import ServedAdapter
from variants.errors import BuildError, EngineError, RecipeError
from variants.kept.contents import digest_content
from variants.kept.store import Store
from variants.sources import Source
from variants.specs.spec import Base, Serving, Variant

BASE = Base(source="file:///toy")
SHAPE = {
    "num_hidden_layers": 2, "hidden_size": 4, "intermediate_size": 8, "num_attention_heads": 1,
    "head_dim": 4, "vocab_size": 10,
}  # fmt: skip
TOKENS = [[1, 2, 3], [4, 5, 6, 7]]
CHANGE = {"poet": 1.0, "clerk": -2.0}


@pytest.fixture
def run(tmp_path: Path) -> Any:
    folder = base(tmp_path / "0123456789abcdef")
    (folder / "config.json").write_text(json.dumps(SHAPE))
    specs: dict[str, Variant] = {}
    return SimpleNamespace(
        store=Store(tmp_path / "store"),
        home=SimpleNamespace(sources=tmp_path / "sources"),
        source=Source(folder, "b" * 64, "toy"),
        study=SimpleNamespace(adapter_sources=(), target="cpu"),
        folder=tmp_path / "run",
        specs=specs,
        spec=specs.__getitem__,
        artifact=lambda variant: folder,
    )


def of_both(tmp_path: Path, run: Any) -> Variant:
    loud = matrices()
    loud[next(iter(loud))] = f32(2, 4, value=0.02)
    folders = {"poet": adapter(tmp_path / "p"), "clerk": adapter(tmp_path / "c", loud)}
    sources = " ".join(
        f"{name}=file://{folder}#sha256={digest_content(folder)}"
        for name, folder in folders.items()
    )
    spec = variant_of("loras", {"name": "both", "sources": sources}, BASE, Serving())
    run.specs["both"] = spec
    return spec


def test_adapters_are_packaged_audited_and_given_to_the_engine(tmp_path: Path, run: Any) -> None:
    spec = of_both(tmp_path, run)
    module.package_all(run, spec)
    poet, clerk = module.served_adapters(run, spec.serving)
    assert (poet.name, poet.rank, clerk.name) == ("poet", 2, "clerk")
    assert (poet.folder / "manifest.json").is_file()
    checks = module.audit_checks(run, spec)
    assert all(check.passed for check in checks)
    names = [check.name for check in checks]
    assert "adapter poet fits the base" in names
    assert "adapter clerk rank" in names
    assert names[-1] == "adapter memory"


def test_a_package_that_was_changed_after_the_audit_is_not_served(tmp_path: Path, run: Any) -> None:
    spec = of_both(tmp_path, run)
    module.package_all(run, spec)
    poet, _ = module.served_adapters(run, spec.serving)
    (poet.folder / "adapter_config.json").write_text("{}")
    with pytest.raises(BuildError, match="package of adapter poet is not whole"):
        module.served_adapters(run, spec.serving)


def test_what_is_not_admitted_is_never_packaged(tmp_path: Path, run: Any) -> None:
    spec = of_both(tmp_path, run)
    run.study.adapter_sources = ("hf://acme/",)
    with pytest.raises(RecipeError, match="not admitted"):
        module.package_all(run, spec)


class Server:
    """Serves the base at -3 a token, and adapters that move it by their change, or by none."""

    def __init__(self, adapters: tuple[ServedAdapter, ...], share: float) -> None:
        self.launch = SimpleNamespace(adapters=adapters)
        self.loaded, self.share = {one.name for one in adapters}, share

    def post(self, path: str, body: dict[str, Any], timeout_s: float) -> Any:
        name, tokens = body["model"], body["prompt"]
        if name not in {*self.loaded, "model"}:
            raise EngineError(f"404: {name}")
        moved = self.share * CHANGE.get(name, 0.0)
        scores = [None, *(-3.0 + moved * (i % 2) for i in range(1, len(tokens)))]
        return {"choices": [{"logprobs": {"token_logprobs": scores}}]}

    def order(self, path: str, body: dict[str, Any], timeout_s: float) -> str:
        (self.loaded.discard if "unload" in path else self.loaded.add)(body["lora_name"])
        return "Success"


def write_references(run: Any, spec: Variant) -> None:
    """What transformers would have said, where a run keeps it."""
    folder, bare = run.folder / REFERENCE, run.artifact("baseline").name
    folder.mkdir(parents=True)
    changes = {bare: 0.0}
    for one in module.served_adapters(run, spec.serving):
        changes[f"{bare}-{one.folder.name}"] = CHANGE[one.name]
    for name, change in changes.items():
        rows = [[-3.0 + change * (i % 2) for i in range(1, len(row))] for row in TOKENS]
        scored = {"tokens": TOKENS, "logprobs": rows, "null": rows}
        (folder / f"canaries-{name}.json").write_text(json.dumps(scored))


@pytest.mark.parametrize(("share", "passed"), [(1.0, True), (0.0, False), (0.5, False)])
def test_every_adapter_is_probed_under_its_own_name(
    tmp_path: Path, run: Any, share: float, passed: bool
) -> None:
    spec = of_both(tmp_path, run)
    module.package_all(run, spec)
    write_references(run, spec)
    server: Any = Server(module.served_adapters(run, spec.serving), share)
    checks = {one.name: one for one in module.effect_checks(run, "both", server, 1.0)}
    assert list(checks) == [
        "adapter-effect-poet", "adapter-strength-poet",
        "adapter-effect-clerk", "adapter-strength-clerk", "adapter-loading-clerk",
    ]  # fmt: skip
    for name in CHANGE:
        assert checks[f"adapter-strength-{name}"].passed is passed
        assert checks[f"adapter-strength-{name}"].values["strength"] == pytest.approx(share)
        assert checks[f"adapter-effect-{name}"].passed is (share > 0)
    assert checks["adapter-loading-clerk"].passed


def test_the_canaries_of_an_adapter_are_those_of_the_first(tmp_path: Path, run: Any) -> None:
    spec = of_both(tmp_path, run)
    module.package_all(run, spec)
    write_references(run, spec)
    assert canary_reference(run, "both")["logprobs"][0] == [-2.0, -3.0]  # the poet's change is 1


def test_a_variant_without_adapters_is_asked_nothing(run: Any) -> None:
    run.specs["copy"] = variant_of("copy", {}, BASE, Serving())
    assert module.audit_checks(run, run.specs["copy"]) == []
    server: Any = Server((), 1.0)
    assert module.effect_checks(run, "copy", server, 1.0) == []
