"""The first lines of the page: what came out, of what, judged how."""

from collections import Counter
from dataclasses import dataclass

from evals.gates.decision import DecisionOutcome
from reports.view import View
from reports.words.policy_used import risk_words

WORDS: dict[DecisionOutcome | None, str] = {
    "PROMOTE": "passed",
    "REJECT": "rejected",
    "HOLD": "on hold",
    None: "not judged",
}


@dataclass(frozen=True, slots=True)
class Fact:
    """One labelled fact, with its long form on demand."""

    label: str
    text: str
    exact: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """Headline, counts and facts."""

    headline: str
    counts: str
    facts: tuple[Fact, ...]


def summarize(view: View) -> Summary:
    """Say in one line what came out."""
    outcomes = Counter(v.decision.outcome if v.decision else None for v in view.variants)
    counts = [f"{outcomes[key]} {words}" for key, words in WORDS.items() if outcomes[key]]
    num = len(view.variants)
    tried = f"{num} variant{'' if num == 1 else 's'} tried"
    told = f"{tried}: {', '.join(counts) or 'none'}."
    if outcomes["PROMOTE"]:
        told += f" Chance lets a variant pass a gate that should stop it {risk_words(view)}."
    return Summary(_headline(view), told, _facts(view))


def _headline(view: View) -> str:
    promotion = view.told.promotion
    if promotion is None:
        return "No variant was promoted"
    if promotion.action == "rollback":  # it names what passed, and then was not confirmed
        return f"No variant was promoted: {promotion.variant} was not confirmed"
    verb = {
        "move": "is promoted",
        "confirm": "stays champion",
        "undo": "is champion again",
        "force": "was put in by hand, past the gates",
    }
    return f"{promotion.variant} {verb[promotion.action]}"


def _facts(view: View) -> tuple[Fact, ...]:
    told = view.told
    return (
        Fact("Base", told.study.base, told.base.source),
        Fact("Target", told.study.target),
        Fact("Machine", _machine(view)),
        Fact("Service class", told.study.service_class),
        Fact("Judged by", view.policy.partition(":")[0], view.policy),
        Fact("Run", told.run),
    )


def _machine(view: View) -> str:
    """Name what it ran on: the accelerator where there is one, else the processor."""
    facts = dict(view.told.machine)
    accelerators = facts.get("Accelerators", "none")
    return facts.get("Processor", "not recorded") if accelerators == "none" else accelerators
