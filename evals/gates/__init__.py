"""Policy, verdict and decision: how evidence becomes a promotion."""

from evals.gates.case import Case, judge_case, read_case
from evals.gates.champion import choose_champion, exit_code, ranked
from evals.gates.decision import Decision, decide, first_failure
from evals.gates.explain import explain
from evals.gates.judging import judge_gate
from evals.gates.metrics import METRICS
from evals.gates.policy import Policy, load_policy, policy_sha256
from evals.gates.verdict import Row, Verdict
from evals.gates.waiver import Waiver, Waivers

__all__ = [
    "METRICS",
    "Case",
    "Decision",
    "Policy",
    "Row",
    "Verdict",
    "Waiver",
    "Waivers",
    "choose_champion",
    "decide",
    "exit_code",
    "explain",
    "first_failure",
    "judge_case",
    "judge_gate",
    "load_policy",
    "policy_sha256",
    "ranked",
    "read_case",
]
