import math

import numpy as np
import pytest
from numpy.typing import NDArray

from evals.results import Fidelity
from evals.suites.fidelity.scores import Places, Scores, joined, places_of, rows_where
from evals.suites.fidelity.slices import MOST_NATS, buckets_of, null_kls, slices_of
from evals.suites.fidelity.texts import Text
from variants.errors import MeasurementError

LN2 = math.log(2)
# Two chats of two tokens each, and two long passages with a near and a far token.
TEXTS = (
    Text("a", "chat", (5, 6, 7), (1, 2), ("prompt", "tool-call")),
    Text("b", "chat", (5, 6, 7), (1, 2), ("tool-call", "tool-call")),
    Text("p", "long", tuple(range(301)), (255, 300), ("prose", "prose")),
    Text("q", "long", tuple(range(301)), (255, 300), ("prose", "prose")),
)
NULL = {"prompt": 0.5, "tool-call": 0.001, "256": 0.002, "512": 0.003}


def scores(variant: list[float], kl: list[float], is_finite: list[bool] | None = None) -> Scores:
    size = len(variant)
    return Scores(
        np.full(size, -LN2),
        np.array(variant, np.float64),
        np.array(kl, np.float64),
        np.array([value == 0.0 for value in kl], np.bool_),
        np.array([True] * size if is_finite is None else is_finite, np.bool_),
    )


def marked(*positions: int) -> NDArray[np.bool_]:
    return np.isin(np.arange(8), positions)


PLACES = places_of(TEXTS)
WORKED = scores(
    [-LN2, -2 * LN2, -LN2, -LN2, -LN2, -2 * LN2, -LN2, -2 * LN2],
    [0.0, 0.1, 0.2, 0.3, 0.0, 0.4, 0.0, 0.6],
)


def test_tokens_are_placed_text_by_text() -> None:
    assert PLACES.passages_N.tolist() == ["a", "a", "b", "b", "p", "p", "q", "q"]
    assert PLACES.positions_N.tolist() == [1, 2, 1, 2, 255, 300, 255, 300]
    assert PLACES.of("long").tolist() == [False] * 4 + [True] * 4
    assert PLACES.labels_N.tolist()[:4] == ["prompt", "tool-call", "tool-call", "tool-call"]


def test_a_slice_by_hand() -> None:
    _, call = slices_of(WORKED, PLACES, NULL)
    assert (call.name, call.num_tokens, call.num_passages, call.num_nonfinite) == (
        "tool-call", 3, 2, 0,
    )  # fmt: skip
    assert call.mean_kl == pytest.approx(0.2)
    # About the mean the passages sum to -.1 and .1: sqrt(2 * (.01 + .01)) / 3 = .0667.
    assert call.kl_error == pytest.approx(0.2 / 3)
    assert call.null_mean_kl == 0.001
    assert call.top1_agreement == 0.0
    assert call.mean_delta_p == pytest.approx(-25 / 3)  # -25, 0 and 0 points
    assert call.perplexity_ratio == pytest.approx(2 ** (1 / 3))  # log ratios ln 2, 0, 0
    assert call.ratio_lower is not None
    assert call.ratio_upper is not None
    assert 1.0 <= call.ratio_lower < call.perplexity_ratio < call.ratio_upper <= 2.0


def test_a_slice_of_one_passage_has_no_bounds() -> None:
    prompt, _ = slices_of(WORKED, PLACES, NULL)
    assert (prompt.name, prompt.num_tokens, prompt.mean_kl) == ("prompt", 1, 0.0)
    assert (prompt.kl_error, prompt.ratio_lower, prompt.ratio_upper) == (None, None, None)


def test_buckets_by_hand() -> None:
    near, far = buckets_of(WORKED, PLACES, NULL)
    assert (near.start_token, near.end_token, near.num_tokens) == (0, 256, 2)
    assert (far.start_token, far.end_token, far.num_passages) == (256, 512, 2)
    assert (near.mean_kl, near.perplexity_ratio, near.null_mean_kl) == (0.0, 1.0, 0.002)
    assert far.mean_kl == pytest.approx(0.5)
    assert far.baseline_perplexity == pytest.approx(2.0)
    assert far.variant_perplexity == pytest.approx(4.0)
    assert far.perplexity_ratio == pytest.approx(2.0)
    assert (far.ratio_lower, far.ratio_upper) == (pytest.approx(2.0), pytest.approx(2.0))
    assert (far.kl_lower, far.kl_upper) == (pytest.approx(0.4), pytest.approx(0.6))
    assert far.null_mean_kl == 0.003


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_is_counted_and_left_out(bad: float) -> None:
    variant, kl = WORKED.variant_logp_N.copy(), WORKED.kl_N.copy()
    variant[[3, 5]], kl[[3, 5]] = bad, bad
    lost = scores(variant.tolist(), kl.tolist(), (~marked(3, 5)).tolist())
    _, call = slices_of(lost, PLACES, NULL)
    assert (call.num_tokens, call.num_nonfinite) == (2, 1)
    assert call.mean_kl == pytest.approx(0.15)
    _, far = buckets_of(lost, PLACES, NULL)
    assert (far.num_tokens, far.num_passages, far.num_nonfinite) == (1, 1, 1)
    assert far.mean_kl == pytest.approx(0.6)
    assert (far.ratio_lower, far.kl_upper) == (None, None)


def test_a_slice_without_a_number_has_no_distance() -> None:
    lost = scores([math.nan] * 8, [math.nan] * 8, [False] * 8)
    for one in (*slices_of(lost, PLACES, NULL), *buckets_of(lost, PLACES, NULL)):
        assert one.num_tokens == 0
        assert one.num_nonfinite > 0
        assert (one.mean_kl, one.perplexity_ratio, one.ratio_upper) == (None, None, None)
        assert one.null_mean_kl in NULL.values()
    assert rows_where(lost, PLACES, marked(0, 1)) is None


def test_arms_too_far_apart_have_a_large_ratio_and_no_infinity() -> None:
    apart = scores([-1e6] * 8, [1e6] * 8)
    _, call = slices_of(apart, PLACES, NULL)
    _, far = buckets_of(apart, PLACES, NULL)
    most = math.exp(MOST_NATS)
    assert call.perplexity_ratio == pytest.approx(most)
    assert far.perplexity_ratio == pytest.approx(most)
    assert far.variant_perplexity == pytest.approx(most)
    assert call.mean_kl == far.mean_kl == 1e6


def test_the_null_arm_is_told_over_the_same_tokens() -> None:
    found = null_kls(WORKED, PLACES)
    assert found == pytest.approx({"prompt": 0.0, "tool-call": 0.2, "256": 0.0, "512": 0.5})


def test_a_null_arm_without_a_number_is_refused() -> None:
    lost = scores([-1.0] * 8, [0.0] * 8, (~marked(2)).tolist())
    with pytest.raises(MeasurementError, match="1 of 8 tokens no number"):
        null_kls(lost, PLACES)


def test_a_baseline_without_a_number_is_refused() -> None:
    bad = scores([-1.0] * 8, [math.nan] * 8)
    with pytest.raises(MeasurementError, match="not finite"):
        slices_of(bad, PLACES, NULL)


def test_scores_of_texts_are_joined_in_order() -> None:
    both = joined([scores([-1.0], [0.1]), scores([-2.0, -3.0], [0.2, 0.3])])
    assert both.variant_logp_N.tolist() == [-1, -2, -3]
    assert both.kl_N.tolist() == [0.1, 0.2, 0.3]


def test_evidence_from_before_has_no_slices() -> None:
    old = {
        "num_positions": 9, "num_documents": 1, "mean_kl": 0.1, "p99_kl": 0.1, "max_kl": 0.1,
        "top1_agreement": 1.0, "perplexity_ratio": 1.0, "null_mean_kl": 0.0,
        "null_top1_agreement": 1.0,
    }  # fmt: skip
    found = Fidelity.model_validate(old)
    assert (found.slices, found.positions, found.num_nonfinite) == ((), (), 0)


def test_no_long_passage_has_no_bucket() -> None:
    short = places_of(TEXTS[:2])
    few = Scores(*(getattr(WORKED, name)[:4] for name in Scores.__slots__))
    assert buckets_of(few, short, NULL) == ()
    assert isinstance(short, Places)
