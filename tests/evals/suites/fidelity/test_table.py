import math
from collections.abc import Callable

import numpy as np
import pytest
from statsmodels.regression.linear_model import OLS

from evals.statistics.clustered_error import codes_of, mean_error, quantile_error
from evals.suites.fidelity.table import Estimate, FidelityTable, Spread, fidelity_table, told
from evals.suites.fidelity.token_rows import TokenRows, slices
from variants.errors import MeasurementError

LN2 = math.log(2)


def rows(
    baseline: list[float], variant: list[float], passages: str, labels: list[str] | None = None,
    kl: list[float] | None = None, same: list[bool] | None = None,
) -> TokenRows:  # fmt: skip
    num_tokens = len(baseline)
    return TokenRows(
        np.array(baseline, np.float64),
        np.array(variant, np.float64),
        np.array([0.0] * num_tokens if kl is None else kl),
        np.array([True] * num_tokens if same is None else same, np.bool_),
        np.array(list(passages), np.str_),
        np.array(["answer"] * num_tokens if labels is None else labels, np.str_),
    )


WORKED = rows(
    [-LN2, -LN2, -LN2, -LN2], [-2 * LN2, -2 * LN2, -LN2, -LN2], "aabb",
    kl=[0.4, 0.2, 0.0, 0.2], same=[True, False, True, True],
)  # fmt: skip


def pair(estimate: Estimate | None) -> tuple[float, float]:
    assert estimate is not None
    assert estimate.standard_error is not None
    return estimate.value, estimate.standard_error


def at(spread: Spread, level: float) -> Estimate:
    (found,) = (one.estimate for one in spread.quantiles if one.level == level)
    return found


def test_perplexities_of_the_worked_example() -> None:
    table = fidelity_table(WORKED)
    assert (table.num_tokens, table.num_passages) == (4, 2)
    found = table.perplexity
    assert pair(found.baseline) == pytest.approx((2.0, 0.0))
    # Costs 2, 2, 1, 1 ln 2, about 1.5 ln 2 the passages sum to 1 and -1: sqrt(2 * 2) / 4 = .5 ln 2.
    assert pair(found.log_ratio_nats) == pytest.approx((LN2 / 2, LN2 / 2))
    assert pair(found.variant) == pytest.approx((2.828427, 2.828427 * LN2 / 2), abs=1e-6)
    assert pair(found.ratio) == pytest.approx((1.414214, 1.414214 * LN2 / 2), abs=1e-6)
    assert pair(found.difference) == pytest.approx((0.828427, 2.828427 * LN2 / 2), abs=1e-6)
    assert found.log_correlation is None, "the baseline is constant"


def test_kl_of_the_worked_example() -> None:
    found = fidelity_table(WORKED).kl_nats
    assert pair(found.mean) == pytest.approx((0.2, 0.1))  # sums .2 and -.2: sqrt(2 * .08) / 4
    # Sorted 0, .2, .2, .4; the quantile q lies at 3 q.
    expected = {1: 0.4, 0.999: 0.3994, 0.99: 0.394, 0.95: 0.37, 0.9: 0.34, 0.5: 0.2, 0.1: 0.06,
                0.05: 0.03, 0.01: 0.006, 0: 0}  # fmt: skip
    assert {one.level: one.estimate.value for one in found.quantiles} == pytest.approx(expected)
    # .75 lie at or below .2, the passages sum to -.5 and .5: error .25. At .25 lies .15, at .75 .25
    assert pair(at(found, 0.5)) == pytest.approx((0.2, 0.05))
    assert at(found, 1.0).standard_error is None
    assert at(found, 0.0).standard_error is None


def test_changes_of_probability_of_the_worked_example() -> None:
    table = fidelity_table(WORKED)
    found = table.delta_p_points
    assert pair(found.mean) == pytest.approx((-12.5, 12.5))
    assert pair(table.rms_delta_p_points) == pytest.approx((17.67767, 8.838835))  # sqrt(1250) / 4
    assert at(found, 0.0).value == pytest.approx(-25)
    assert at(found, 0.25).value == pytest.approx(-25)
    assert at(found, 0.5).value == pytest.approx(-12.5)
    assert at(found, 1.0).value == pytest.approx(0)
    assert [one.level for one in found.quantiles] == [
        1, 0.999, 0.99, 0.95, 0.9, 0.75, 0.5, 0.25, 0.1, 0.05, 0.01, 0.001, 0
    ]  # fmt: skip
    assert pair(table.same_top_share) == pytest.approx((0.75, 0.25))  # sums -.5 and .5


def test_the_correlation_by_hand() -> None:
    # Costs 1, 1, 3, 3 and 1, 3, 1, 3: products of z are 1, -1, -1, 1.
    baseline, variant = [-1.0, -1, -3, -3], [-1.0, -3, -1, -3]
    together = fidelity_table(rows(baseline, variant, "abba")).perplexity.log_correlation
    apart = fidelity_table(rows(baseline, variant, "aabb")).perplexity.log_correlation
    assert pair(together) == pytest.approx((0.0, 1.0))  # sums 2 and -2: sqrt(2 * 8) / 4
    assert pair(apart) == pytest.approx((0.0, 0.0))  # sums 0 and 0
    line = fidelity_table(rows([-1.0, -2, -4], [-1.5, -2.5, -4.5], "abc")).perplexity
    assert pair(line.log_correlation) == pytest.approx((1.0, 0.0))


def test_an_arm_against_itself_lies_at_nothing() -> None:
    table = fidelity_table(rows([-1.0, -2.0, -3.0], [-1.0, -2.0, -3.0], "aab"))
    assert pair(table.perplexity.ratio) == (1.0, 0.0)
    assert pair(table.perplexity.difference) == (0.0, 0.0)
    assert pair(table.rms_delta_p_points) == (0.0, 0.0)
    assert pair(table.kl_nats.mean) == (0.0, 0.0)
    assert pair(table.same_top_share) == (1.0, 0.0)


def test_one_passage_has_figures_without_errors() -> None:
    table = fidelity_table(rows([-1.0, -2.0], [-1.5, -2.0], "aa"))
    assert table.perplexity.log_ratio_nats == Estimate(0.25, None)
    assert {one.estimate.standard_error for one in table.delta_p_points.quantiles} == {None}


def test_the_error_of_a_mean_agrees_with_statsmodels() -> None:
    rng = np.random.default_rng(4)
    groups = rng.integers(0, 25, size=300)
    values = rng.normal(size=300) + rng.normal(size=25)[groups]
    fit = OLS(values, np.ones(300)).fit(cov_type="cluster", cov_kwds={"groups": groups})
    assert mean_error(values, codes_of(groups.astype(np.str_))) == pytest.approx(float(fit.bse[0]))


def test_the_worked_examples_of_the_errors() -> None:
    codes = codes_of(np.array(list("aabb")))
    assert mean_error(np.array([1.0, 1.0, 0.0, 0.0]), codes) == pytest.approx(0.5)
    five = codes_of(np.array(list("abcde")))
    error = quantile_error(np.arange(5.0), 0.5, five)
    assert error == pytest.approx(4 * math.sqrt(0.06))  # .98


def test_a_quantiles_error_agrees_with_theory() -> None:
    # The median of n normals has an error of sqrt(pi / 2 / n): .01982 for 4,000.
    values = np.random.default_rng(6).normal(size=4000)
    assert quantile_error(values, 0.5, np.arange(4000)) == pytest.approx(0.01982, rel=0.1)


SMOOTH: list[Callable[[FidelityTable], Estimate | None]] = [
    lambda table: table.perplexity.baseline,
    lambda table: table.perplexity.ratio,
    lambda table: table.perplexity.difference,
    lambda table: table.perplexity.log_correlation,
    lambda table: table.rms_delta_p_points,
]


@pytest.mark.parametrize("figure", SMOOTH)
def test_errors_agree_with_leaving_out_one_passage_at_a_time(
    figure: Callable[[FidelityTable], Estimate | None],
) -> None:
    rng = np.random.default_rng(9)
    passages = np.repeat(np.arange(60), rng.integers(5, 30, 60))
    level = rng.normal(size=60)[passages]
    baseline = -np.exp(0.5 * level + 0.5 * rng.normal(size=len(passages)))
    variant = baseline * np.exp(0.2 * rng.normal(size=len(passages)) + 0.1 * level)

    def value(kept: np.ndarray) -> tuple[float, float]:
        b, v, p = (column[kept].tolist() for column in (baseline, variant, passages))
        table = fidelity_table(rows(b, v, "".join(chr(1000 + k) for k in p)))
        return pair(figure(table))

    left = np.array([value(passages != out)[0] for out in range(60)])
    jackknife = math.sqrt(59 / 60 * float(np.square(left - left.mean()).sum()))
    assert value(passages >= 0)[1] == pytest.approx(jackknife, rel=0.1)


def test_slices_have_tables_of_their_own() -> None:
    labels = ["prompt", "tool-call", "tool-call", "prompt"]
    found = slices(rows([-1.0, -2, -3, -4], [-1.0, -2.5, -3.5, -4], "abba", labels))
    assert list(found) == ["prompt", "tool-call"]
    tables = {label: fidelity_table(part) for label, part in found.items()}
    assert tables["prompt"].perplexity.log_ratio_nats == Estimate(0.0, None)
    assert tables["tool-call"].perplexity.log_ratio_nats == Estimate(0.5, None)
    assert found["tool-call"].baseline_logp_N.tolist() == [-2, -3]


def test_the_table_is_told_in_columns() -> None:
    lines = told(fidelity_table(WORKED)).splitlines()
    assert lines[0] == "4 tokens of 2 passages; errors by passage"
    assert lines[1] == "perplexity, baseline                  2.000000 ± 0.000000"
    assert lines[3] == "correlation of ln perplexity         undefined"
    assert lines[4] == "ln perplexity ratio                   0.346574 ± 0.346574       nats"
    assert lines[7] == "KL, mean                              0.200000 ± 0.100000       nats"
    assert lines[8] == "KL, maximum                           0.400000                  nats"
    assert lines[9] == "KL, 99.9%                             0.399400 ± 0.075300       nats"
    assert lines[-2] == "delta p, root mean square            17.677670 ± 8.838835       points"
    assert lines[-1] == "same top token                        0.750000 ± 0.250000       of 1"
    assert len(lines) == 1 + 6 + 11 + 14 + 2


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("column", [0, 1, 2])
def test_what_is_not_finite_is_refused(column: int, bad: float) -> None:
    columns = [[-1.0, -1.0], [-1.0, -1.0], [0.0, 0.0]]
    columns[column][1] = bad
    with pytest.raises(MeasurementError, match="1 of 2 values that are not finite"):
        rows(columns[0], columns[1], "ab", kl=columns[2])


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: rows([0.5], [-1.0], "a"), "none lies above 0"),
        (lambda: rows([-1.0], [-1.0], "a", kl=[-0.1]), "none lies below 0"),
        (lambda: rows([-1.0], [-1.0], "a", ["tool"]), "unknown labels"),
        (lambda: rows([-1.0], [-1.0, -1.0], "a"), "one row a token"),
        (lambda: rows([], [], ""), "one row a token"),
    ],
)
def test_rows_that_cannot_be_are_refused(make: Callable[[], TokenRows], said: str) -> None:
    with pytest.raises(MeasurementError, match=said):
        make()


def test_agreement_is_true_or_false() -> None:
    ones, names = np.array([-1.0]), np.array(["prompt"])
    with pytest.raises(MeasurementError, match="not booleans"):
        TokenRows(ones, ones, -ones, np.array([1]), np.array(["a"]), names)


def test_arms_without_a_perplexity_are_refused() -> None:
    with pytest.raises(MeasurementError, match="no perplexity"):
        fidelity_table(rows([-1.0, -1.0], [-1e4, -1e4], "ab"))
