import pytest

from evals.planning.break_even import break_even_tokens, device_hours_per_million


def test_a_million_tokens_at_100_a_second_take_10_000_seconds() -> None:
    assert device_hours_per_million(100) == pytest.approx(10_000 / 3600)


@pytest.mark.parametrize(
    ("hours", "baseline", "variant", "tokens"),
    [
        (0.01, 100, 125, 18_000),
        # 36 s of making; 1 token in 10 ms against 1 in 5 ms: 5 ms saved a token, 7,200 tokens
        (0.01, 100, 200, 7_200),
        (0.0, 100, 200, 0),
    ],
)
def test_what_is_saved_pays_for_the_build(
    hours: float, baseline: float, variant: float, tokens: float
) -> None:
    assert break_even_tokens(hours, baseline, variant) == pytest.approx(tokens)


@pytest.mark.parametrize("variant", [100, 80])
def test_a_variant_that_saves_nothing_never_pays(variant: float) -> None:
    assert break_even_tokens(0.01, 100, variant) is None
