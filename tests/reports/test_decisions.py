"""The first screen: order, plain reasons, gain, what would settle a HOLD, and how sure."""

from dataclasses import replace

from evals.gates.gains import Gain
from evals.gates.policy import load_policy, policy_sha256
from evals.gates.settling import Settlement
from reports.blocks import Prose
from reports.sections.decisions import SECTION
from reports.view import View, build_view
from reports.words.summary import summarize
from tests.reports import judged
from tests.reports.building import decided, notes, rows, study_of, table, view_of


def gain(lower: float) -> tuple[Gain, ...]:
    return (Gain(metric="tpot_ms", cell="closed-1", unit="ms", estimate=lower + 0.1, lower=lower,
                 upper=lower + 0.2, n=5),)  # fmt: skip


def view() -> View:
    settle = (
        Settlement(gate="tpot", text="3 repeats more", device_minutes=1.5),
        Settlement(gate="ttft", text="3 repeats more", device_minutes=1.5),
        Settlement(gate="mmlu", text="about 800 items", device_minutes=4.0),
        Settlement(gate=None, text="look at the records"),
    )
    quick = policy_sha256(load_policy("quick"))
    decisions = [
        decided("refused", "REJECT"),
        decided("slow", "PROMOTE", gains=gain(0.02)),
        decided("held", "HOLD", settle=settle),
        decided("quicker", "PROMOTE", gains=gain(0.07)),
    ]
    told = [one.model_copy(update={"policy_sha256": quick}) for one in decisions]
    return view_of(study_of(), {"baseline": (), **{one.variant: () for one in told}}, told)


def test_promoted_by_gain_then_hold_then_rejected() -> None:
    found = table(SECTION.build(view()))
    assert [row[:2] for row in rows(found)] == [
        ["quicker", "PROMOTE"], ["slow", "PROMOTE"], ["held", "HOLD"], ["refused", "REJECT"],
    ]  # fmt: skip
    assert "time per output token in cell closed-1 (one user at a time)" in found.caption


def test_what_would_settle_is_grouped_and_summed() -> None:
    """Two gates ask the same, so one line; 1.5 + 1.5 + 4 minutes; the third line is below."""
    found = table(SECTION.build(view()))
    held = found.rows[2][5]
    assert held.text == "tpot, ttft: 3 repeats more; mmlu: about 800 items"
    assert held.note == "and 1 more, in Gates below; about 7.0 device minutes in all"
    assert rows(found)[3][5] == "nothing, it is decided"


def test_how_sure_names_the_risk_of_the_policy_it_was_judged_at() -> None:
    first = SECTION.build(view())[1]
    assert isinstance(first, Prose)
    assert "in about 5 of 100 runs at most" in first.text
    changed = SECTION.build(judged.view())[1]
    assert isinstance(changed, Prose)
    assert "no more often than the policy's risk" in changed.text


def test_the_champion_is_told_from_others() -> None:
    assert notes(table(SECTION.build(judged.view())))[0][1] == "champion"
    assert [line[1] for line in notes(table(SECTION.build(view())))] == ["", "", "", ""]


def test_the_fixture_in_plain_words() -> None:
    reasons = [row[2] for row in rows(table(SECTION.build(judged.view())))]
    assert reasons[1] == (
        "Not known yet whether it is good enough in choosing the right tool call "
        "(tool-calling): 3.25 points lost, and anything "
        "from 1.12 to 5.61 fits; 5 are allowed."
    )
    assert reasons[3] == "It is too slow to be measured: no first token within 30 s."


def test_a_variant_says_what_it_changes() -> None:
    first = table(SECTION.build(judged.view()))
    assert first.rows[0][0].note == "compiled graphs"


def test_what_was_put_back_is_told_as_not_promoted() -> None:
    told = judged.told()
    assert told.promotion is not None
    back = told.promotion.model_copy(update={"action": "rollback", "reason": "it was no faster"})
    seen = build_view(replace(told, promotion=back))
    assert summarize(seen).headline == "No variant was promoted: compiled was not confirmed"
    assert any("taken out again" in b.text for b in SECTION.build(seen) if isinstance(b, Prose))
