import pytest

from variants.catalogue import variant_of
from variants.errors import StudyError
from variants.fingerprint import canonical_json, fingerprint
from variants.specs.spec import Base, Compilation, Serving, Speculation

BASE = Base(source="file:///models/toy")
DIGEST = "0" * 64
DRAFT = f"file:///models/draft#sha256={DIGEST}"


def speculation(function: str, **arguments: int | str) -> tuple[str, Speculation | None]:
    variant = variant_of(function, dict(arguments), BASE, Serving())
    return variant.name, variant.serving.speculation


def test_each_way_of_drafting() -> None:
    weights = Base(source="file:///models/draft", sha256=DIGEST)
    assert speculation("draft_speculation", draft=DRAFT) == (
        "draft-4",
        Speculation(method="draft_model", draft=weights),
    )
    assert speculation("eagle_speculation", head=DRAFT, num_tokens=2) == (
        "eagle-2",
        Speculation(method="eagle", draft=weights, num_tokens=2),
    )
    assert speculation("eagle_speculation", head=DRAFT, version=3)[0] == "eagle3-4"
    assert speculation("mtp_speculation") == ("mtp-1", Speculation(method="mtp", num_tokens=1))


@pytest.mark.parametrize(
    ("function", "arguments", "told"),
    [
        ("draft_speculation", {"draft": "file:///models/draft"}, "must end with #sha256=DIGEST"),
        ("eagle_speculation", {"head": DRAFT, "version": 2}, "EAGLE version 2 is not offered"),
        ("eagle_speculation", {}, "needs head"),
        ("compiled_at", {"level": 4}, "level"),
        ("compiled_at", {"graph_sizes": "4 2"}, "must ascend"),
        ("compiled_at", {"graph_sizes": "small"}, "small"),
    ],
)
def test_what_cannot_be_is_refused(
    function: str, arguments: dict[str, int | float | str | bool], told: str
) -> None:
    with pytest.raises(StudyError, match=told):
        variant_of(function, arguments, BASE, Serving())


@pytest.mark.parametrize("method", ["draft_model", "eagle", "eagle3"])
def test_a_draft_goes_with_its_method(method: str) -> None:
    with pytest.raises(ValueError, match="needs the weights of its draft"):
        Speculation.model_validate({"method": method})
    with pytest.raises(ValueError, match="takes no draft"):
        Speculation(method="ngram", draft=BASE)


def test_a_level_is_compiled() -> None:
    variant = variant_of("compiled_at", {"level": 3, "graph_sizes": "1 2 4"}, BASE, Serving())
    assert variant.name == "compiled-o3-graphs-1-2-4"
    asked = Compilation(level=3, graph_sizes=(1, 2, 4))
    assert variant.serving == Serving(mode="compiled", compilation=asked)
    with pytest.raises(ValueError, match="asks for mode compiled"):
        Serving(compilation=Compilation(level=3))


def test_fields_that_came_later_leave_earlier_names_alone() -> None:
    """As it was written before speculation had methods and compilation levels."""
    assert canonical_json(Serving(speculation=Speculation())) == (
        '{"arguments":[],"custom_ops":"none","engine":"vllm","kv_cache_bytes":1073741824,'
        '"max_model_len":2048,"mode":"eager","speculation":{"lookup_max":4,"num_tokens":4}}'
    )
    mtp = Serving(speculation=Speculation(method="mtp"))
    assert '"method":"mtp"' in canonical_json(mtp)
    levels = [Serving(mode="compiled"), *(_level(level) for level in range(4))]
    assert len({fingerprint(one) for one in levels}) == 5
    assert Serving.model_validate(mtp.model_dump()) == mtp


def _level(level: int) -> Serving:
    return Serving(mode="compiled", compilation=Compilation(level=level))
