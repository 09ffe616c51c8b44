"""Adapters trained briefly on the real model, on the real engine.

One is served as it should be. The same one under names that the engine ignores is loaded without a
word, and only its missing effect gives it away.
"""

from pathlib import Path

import pytest

from evals.suites.adapter_effect import check_effect, check_strength, effect_of, probe
from evals.suites.adapter_loading import check_loading
from evals.suites.canaries import reference
from tests.variants.adapters.hand import write
from tests.variants.adapters.training import train
from variants.adapters.audit import Ground, audit_adapter
from variants.audit.safetensors import map_bytes, read_header
from variants.builders.artifact import build_artifact
from variants.catalogue import BASES
from variants.engines.adapter import SERVED_NAME, Launch, ServedAdapter
from variants.engines.endpoint import serve
from variants.engines.process import free_port
from variants.engines.vllm import Vllm
from variants.home import Home
from variants.kept.store import Store
from variants.sources import fetch
from variants.specs.spec import Adapter, Recipe, Serving

pytestmark = [pytest.mark.engine, pytest.mark.long]
DEADLINE_S = 120.0


@pytest.fixture(scope="module")
def base() -> Path:
    home = Home.from_environment()
    source = fetch(BASES["smollm2-135m-instruct"], home.sources)
    store = Store(home.store)
    return store.folder(build_artifact(store, source, Recipe(), home.sources).fingerprint)


def misnamed(adapter: Path, output: Path) -> Path:
    """Give every layer a name that no model here has."""
    output.mkdir()
    weights = "adapter_model.safetensors"
    write(
        output / weights,
        {
            one.name.replace("model.layers", "model.language_model.layers"): (
                one.dtype,
                list(one.shape),
                map_bytes(one).tobytes(),
            )
            for one in read_header(adapter / weights)
        },
    )
    (output / "adapter_config.json").write_bytes((adapter / "adapter_config.json").read_bytes())
    return output


def test_an_adapter_has_its_effect_and_an_ignored_one_is_found_out(
    base: Path, tmp_path: Path
) -> None:
    trained = train(base, tmp_path / "trained")
    ignored = misnamed(trained, tmp_path / "ignored")
    assert all(one.passed for one in audit_adapter(trained, Ground(base)))
    failed = [one.name for one in audit_adapter(ignored, Ground(base)) if not one.passed]
    assert "fits the base" in failed  # so that a study never serves it; here it is, all the same

    bare, adapted = reference(str(base)), reference(str(base), str(trained))
    expected = effect_of(adapted["null"], bare["null"])
    names = {"poet": trained, "ghost": ignored}
    served = tuple(ServedAdapter(name, folder, 8) for name, folder in names.items())
    specs = tuple(Adapter(name=name, source="file:///x", sha256="0" * 64) for name in names)
    launch = Launch(base, Serving(adapters=specs), free_port(), tmp_path / "cache", adapters=served)
    python = Vllm().environment(Home.from_environment().engines, "cpu").python
    with serve(Vllm(), python, launch, tmp_path / "engine.log", 600.0) as endpoint:
        asked = ("poet", "ghost", SERVED_NAME, SERVED_NAME)
        poet, ghost, one, again = (
            probe(endpoint, name, bare["tokens"], DEADLINE_S) for name in asked
        )
        effect = check_effect("poet", poet, one, again)
        assert effect.passed, effect.reason
        strength = check_strength("poet", poet, one, expected)
        assert strength.passed, strength.reason
        assert check_effect("ghost", ghost, one, again).passed is False
        assert check_strength("ghost", ghost, one, expected).passed is False
        assert endpoint.reported_config()["max_loras"] == "2"
        loading = check_loading(endpoint, served[0], bare["tokens"][0], DEADLINE_S)
        assert loading.passed, loading.reason
        print(effect.reason, strength.reason, loading.reason, sep="\n")
