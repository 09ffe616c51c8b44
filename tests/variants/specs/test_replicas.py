from variants.catalogue import variant_of
from variants.specs.replicas import replica
from variants.specs.spec import Base, Serving

BASE = Base(source="file:///models/toy")


def test_a_replica_draws_again_and_changes_nothing_else() -> None:
    recipe = variant_of("fp8_static_kv_fp8", {"seed": 5, "replicas": 2}, BASE, Serving()).recipe
    assert replica(recipe, 0) == recipe
    again = replica(recipe, 2)
    assert again.quantization is not None
    assert again.quantization.calibration is not None
    assert again.kv_cache is not None
    assert again.quantization.calibration.seed == again.kv_cache.calibration.seed == 7
    assert replica(again, -2) == recipe


def test_the_number_of_replicas_is_no_part_of_the_artifact() -> None:
    one = variant_of("fp8_static", {"replicas": 2}, BASE, Serving())
    other = variant_of("fp8_static", {}, BASE, Serving())
    assert (one.replicas, other.replicas) == (2, 0)
    assert one.recipe == other.recipe
    assert one.name == other.name
