"""When a suite need not be asked to its end.

The baseline is given up once it is surely at the floor: no variant can lose what it has not got. A
variant is given up once it has failed, by a bound that is spent over the looks (Lan-DeMets), so
that looking often rejects hardly more than looking once; and it is let go once it passes at a look
that the policy plans. Neither promotes anything by itself: the gates judge what was asked.

Example: a baseline with 0 of 64 right has at most 4.6 % right; more than 10 % is asked -> "floor".
A variant that loses 60 of 64 items at a margin of 2 points -> "fail".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import get_args

from evals.gates.judges.paired_accuracy import (
    damage_interval,
    is_at_floor,
    outcome_of,
    share_right,
    wider_interval,
)
from evals.gates.judges.suite_pairs import Answers, pair_results
from evals.gates.kinds import PairedAccuracyGate, SuiteGate
from evals.gates.policy import Policy, is_blocking
from evals.results import ModelClass, Stop, SuiteResult
from evals.statistics import confidence_at
from variants.errors import MeasurementError
from variants.specs.ladder import ChangeClass

Paired = tuple[PairedAccuracyGate, ...]


@dataclass(frozen=True, slots=True)
class BaselineLook:
    """Looks at what the baseline has answered so far."""

    policy: Policy

    def __call__(self, found: SuiteResult) -> Stop | None:
        """Say whether every gate that reads it finds it at the floor."""
        if found.axis:  # its items do not lie in drawn order
            return None
        gates = gates_of(self.policy, found, *get_args(ChangeClass))
        share = share_right(found, self.policy)
        is_floored = [share.upper <= found.chance + gate.min_above_chance for gate in gates]
        return "floor" if is_floored and all(is_floored) else None


@dataclass(frozen=True, slots=True)
class VariantLook:
    """Looks at what a variant has answered so far, beside the baseline's whole answers."""

    policy: Policy
    seed: int
    change_class: ChangeClass
    model_class: ModelClass
    baseline: SuiteResult
    ends: tuple[int, ...]  # after how many items it is looked at

    def __call__(self, found: SuiteResult) -> Stop | None:
        """Say whether it has failed a gate that blocks, or passed all that read it."""
        if found.axis:
            return None
        gates = gates_of(self.policy, found, self.change_class)
        outcomes = [self._outcome(gate, found) for gate in gates]
        if any(
            one == "fail" and is_blocking(gate) for one, gate in zip(outcomes, gates, strict=True)
        ):
            return "fail"
        return "pass" if outcomes and all(one == "pass" for one in outcomes) else None

    def _outcome(self, gate: PairedAccuracyGate, found: SuiteResult) -> Stop | None:
        margin = gate.margin_for(self.change_class, self.model_class)
        so_far = found.model_copy(update={"stopped": "fail"})  # as if it were given up now
        try:
            answers = pair_results(gate, self.baseline, so_far)
            if is_at_floor(gate, answers, self.policy):
                return None
            if self._lower(answers) > margin:
                return "fail"
            damage = damage_interval(gate, answers, self.policy, self.seed)
            return "pass" if outcome_of(gate, answers, damage, margin) == "PASS" else None
        except MeasurementError:  # the gate will say what is wrong, once all is in
            return None

    def _lower(self, answers: Answers) -> float:
        shares = [end / self.ends[-1] for end in self.ends]
        confidence = confidence_at(_at(answers.num_items, self.ends), shares, self.policy.alpha)
        return wider_interval(answers, confidence, self.seed).lower


def gates_of(policy: Policy, found: SuiteResult, *changes: ChangeClass) -> Paired:
    """Return the gates that read a suite on a path, of any of these classes of change.

    () where one of them judges the whole suite alone: then nothing may stop.
    """
    readers = [
        gate
        for gate in policy.gates
        if isinstance(gate, SuiteGate)
        and gate.suite == found.suite
        and gate.path in (None, found.path)
        and set(changes) & set(gate.applies_to)
    ]
    paired = tuple(gate for gate in readers if isinstance(gate, PairedAccuracyGate))
    return paired if len(paired) == len(readers) else ()


def _at(num_items: int, ends: Sequence[int]) -> int:
    if num_items not in ends or any(b <= a for a, b in pairwise(ends)):
        raise MeasurementError(f"looked at after {num_items} items, planned was {list(ends)}")
    return list(ends).index(num_items)
