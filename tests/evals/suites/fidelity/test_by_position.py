import math

import numpy as np
import pytest

from evals.suites.fidelity.by_position import PlacedTokens, bucket_end, by_position, told
from variants.errors import MeasurementError


def placed(
    baseline: list[float], variant: list[float], positions: list[int], passages: list[str],
    kl: list[float] | None = None,
) -> PlacedTokens:  # fmt: skip
    return PlacedTokens(
        np.array(baseline), np.array(variant), np.array(positions), np.array(passages, np.str_),
        None if kl is None else np.array(kl),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("position", "end"),
    [(0, 256), (255, 256), (256, 512), (511, 512), (512, 1024), (1023, 1024), (1024, 2048),
     (4095, 4096), (4096, 8192)],
)  # fmt: skip
def test_buckets_double(position: int, end: int) -> None:
    assert bucket_end(position) == end


def test_the_worked_example() -> None:
    half, quarter, eighth = (math.log(share) for share in (1 / 2, 1 / 4, 1 / 8))
    tokens = placed([half, eighth], [quarter, eighth], [3, 9], ["a", "b"], [0.2, 0.1])
    (bucket,) = by_position(tokens, seed=1)
    assert (bucket.start, bucket.end, bucket.num_tokens, bucket.num_passages) == (0, 256, 2, 2)
    assert bucket.baseline_perplexity == pytest.approx(4.0)
    assert bucket.variant_perplexity == pytest.approx(5.6569, abs=1e-4)
    assert bucket.ratio == pytest.approx(math.sqrt(2))
    assert bucket.log_ratio is not None
    assert bucket.log_ratio.estimate == pytest.approx(math.log(2) / 2)
    assert bucket.mean_kl_nats == pytest.approx(0.15)


def test_each_bucket_has_its_own_figures_and_a_passage_alone_has_no_bounds() -> None:
    # Every token near loses .1 nats, whatever the passage; the one far away loses 1.
    tokens = placed(
        [-1.0, -2.0, -3.0, -1.0], [-1.1, -2.1, -3.1, -2.0], [0, 1, 255, 700], ["a", "a", "b", "b"]
    )
    near, far = by_position(tokens, seed=1)
    assert near.ratio_bounds == pytest.approx((math.exp(0.1), math.exp(0.1)))
    assert near.log_ratio is not None
    assert (near.log_ratio.n, near.num_tokens) == (3, 3)
    assert (far.start, far.end, far.num_passages) == (512, 1024, 1)
    assert far.ratio == pytest.approx(math.e)
    assert (far.ratio_bounds, far.log_ratio, far.kl, far.mean_kl_nats) == (None, None, None, None)


def test_bounds_resample_passages_not_tokens() -> None:
    """Copies of tokens inside their passages add nothing."""
    losses = [0.1, 0.4, 0.2, 0.3, 0.0, 0.5]
    names = list("abcdef")
    once = placed([-1.0] * 6, [-1 - one for one in losses], [5] * 6, names)
    copied = placed([-1.0] * 60, [-1 - one for one in losses * 10], [5] * 60, names * 10)
    (few,), (many,) = by_position(once, seed=2), by_position(copied, seed=2)
    assert few.ratio_bounds == pytest.approx(many.ratio_bounds)
    assert few.ratio_bounds is not None
    assert few.ratio_bounds[0] < math.exp(0.25) < few.ratio_bounds[1]


def test_the_table_has_a_line_a_bucket() -> None:
    tokens = placed([-1.0, -1.0, -1.0], [-1.1, -1.1, -2.0], [0, 0, 300], ["a", "b", "b"])
    # e = 2.7183, e^1.1 = 3.0042, e^.1 = 1.10517, e^2 = 7.3891
    assert told(by_position(tokens, seed=1)).splitlines() == [
        "positions  tokens  passages  baseline  variant    ratio              bounds  mean KL",
        "    0-256       2         2    2.7183   3.0042  1.10517  1.10517 to 1.10517        -",
        "  256-512       1         1    2.7183   7.3891  2.71828                   -        -",
    ]


@pytest.mark.parametrize(
    ("baseline", "variant", "positions", "passages"),
    [
        ([math.nan], [-1.0], [0], ["a"]),
        ([-1.0], [-math.inf], [0], ["a"]),
        ([-1.0], [-1.0], [-1], ["a"]),
        ([-1.0], [0.5], [0], ["a"]),
        ([-1.0, -1.0], [-1.0], [0], ["a"]),
        ([], [], [], []),
    ],
)
def test_what_was_not_measured_is_refused(
    baseline: list[float], variant: list[float], positions: list[int], passages: list[str]
) -> None:
    with pytest.raises(MeasurementError):
        placed(baseline, variant, positions, passages)


def test_positions_are_whole_numbers_and_a_kl_is_finite() -> None:
    with pytest.raises(MeasurementError, match="whole"):
        PlacedTokens(np.array([-1.0]), np.array([-1.0]), np.array([0.5]), np.array(["a"]))
    with pytest.raises(MeasurementError, match="finite"):
        placed([-1.0], [-1.0], [0], ["a"], [math.nan])
    with pytest.raises(MeasurementError, match="below 0"):
        placed([-1.0], [-1.0], [0], ["a"], [-0.5])


def test_a_bucket_without_a_perplexity_is_refused() -> None:
    with pytest.raises(MeasurementError, match="no perplexity"):
        by_position(placed([-1.0], [-1e4], [0], ["a"]), seed=1)
