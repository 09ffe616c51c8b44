"""Every way an input has been seen to open a gate, and what must come out instead.

Sources: research/evaluation.md sections 0, 3.3 and 10; research/pipelines.md section 1.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.evals.gates.worked import BASELINE_ARTIFACT, suite
from tests.fail_closed.path import VARIANT, Found, Stored
from variants.kept.contents import weights_sha256

Spoil = Callable[[Stored], None]


@dataclass(frozen=True, slots=True)
class Case:
    """One input: what is wrong with it, the outcome that the ledger must hold, and its reason."""

    name: str
    expected: str
    because: str  # what the reason must say: the right outcome for the wrong reason is none
    spoil: Spoil

    def is_met(self, found: Found) -> bool:
        """Whether the outcome is as expected, for the reason expected."""
        return found.outcome in self.expected.split(" or ") and self.because in found.reason


def _nothing(stored: Stored) -> None:
    """Leave it healthy: the table would be void if nothing could pass."""


def _threshold_only(stored: Stored) -> None:
    stored.policy["gates"] = [
        {"id": "a", "kind": "attainment", "tier": "critical"},
        {"id": "t", "kind": "limit", "tier": "critical", "metric": "tpot_ms", "unit": "ms",
         "direction": "lower", "limit": 100.0},
    ]  # fmt: skip


def _no_metric(stored: Stored) -> None:
    for cell in stored.payloads("cell"):
        cell["metrics"].pop("tpot_ms_mean")


def _one_arm(stored: Stored) -> None:
    for cell in stored.payloads("cell", arm="baseline"):
        cell["metrics"]["tpot_ms_mean"] = None


def _wrong_way(stored: Stored) -> None:
    stored.gate("tpot")["direction"] = "higher"
    for cell in stored.payloads("cell", arm="variant"):
        cell["metrics"]["tpot_ms_mean"] *= 2


def _no_direction(stored: Stored) -> None:
    stored.gate("tpot").pop("direction")


def _undeclared(stored: Stored) -> None:
    stored.gate("tpot")["metric"] = "perplexity"


def _raw(found: str, put: str) -> Spoil:
    return lambda stored: stored.raw.append((found, put))


def _empty(stored: Stored) -> None:
    for result in stored.payloads("suite"):
        result["samples"], result["num_issued"] = [], 0


def _no_gates(stored: Stored) -> None:
    stored.policy["gates"] = []


def _advisory_only(stored: Stored) -> None:
    for gate in stored.policy["gates"]:
        gate["tier"] = "advisory"


def _lost_item(stored: Stored) -> None:
    (result,) = stored.payloads("suite", suite="tool-calling", arm="variant")
    result["samples"].pop()
    result["num_issued"] -= 1


def _issued_more(stored: Stored) -> None:
    (result,) = stored.payloads("suite", suite="tool-calling", arm="variant")
    result["num_issued"] += 1


def _suites(lost: int, won: int, num_items: int) -> Spoil:
    def spoil(stored: Stored) -> None:
        for result in stored.payloads("suite", suite="tool-calling"):
            made = suite("tool-calling", result["arm"], lost, won, num_items)
            result["samples"] = made.model_dump(mode="json")["samples"]
            result["num_issued"] = num_items

    return spoil


def _ten_suites(stored: Stored) -> None:
    """Ten tasks each 3 points worse on 1,500 items: at most 4, inside 5; together 3, beyond 2."""
    gate = dict(stored.gate("tool-calling"))
    gate.pop("cluster_key")
    results = stored.payloads("suite", suite="tool-calling")
    for at in range(10):
        stored.policy["gates"].append(gate | {"id": f"task-{at}", "suite": f"task-{at}"})
        for result in results:
            made = suite(f"task-{at}", result["arm"], 45, 0, 1500).model_dump(mode="json")
            owner = "baseline" if result["arm"] == "baseline" else VARIANT
            stored.add(made | {"path": "artifact"}, owner)
    stored.gate("all-suites")["margin"] = 0.02


def _unanswered(arm: str, count: int) -> Spoil:
    def spoil(stored: Stored) -> None:
        (result,) = stored.payloads("suite", suite="tool-calling", arm=arm)
        for sample in result["samples"][:count]:
            sample["is_correct"] = None

    return spoil


def _twice(stored: Stored) -> None:
    (result,) = stored.payloads("suite", suite="tool-calling", arm="variant")
    result["samples"][1] = result["samples"][0]


def _recorded_twice(stored: Stored) -> None:
    (result,) = stored.payloads("suite", suite="tool-calling", arm="variant")
    stored.add(dict(result))


def _silence(degenerate: bool | None) -> Spoil:
    def spoil(stored: Stored) -> None:
        for result in stored.payloads("suite", suite="tool-calling"):
            result["rewards_silence"] = True
            for sample in result["samples"]:
                sample["is_correct"] = True
                sample["is_degenerate"] = degenerate if result["arm"] == "variant" else False

    return spoil


def _stale(stored: Stored) -> None:
    for result in stored.payloads("suite", arm="variant"):
        result["weights_sha256"] = weights_sha256(BASELINE_ARTIFACT.files)


def _of_variant(key: str, value: Any) -> Spoil:
    def spoil(stored: Stored) -> None:
        (result,) = stored.payloads("suite", suite="tool-calling", arm="variant")
        result[key] = value

    return spoil


def _condition(name: str) -> Spoil:
    def spoil(stored: Stored) -> None:
        (result,) = stored.payloads("suite", suite="tool-calling", arm="variant")
        result["conditions"] = result["conditions"] | {name: "another"}

    return spoil


def _other_prompts(stored: Stored) -> None:
    """A missing BOS, another template or other token ids all change what was scored."""
    (result,) = stored.payloads("suite", suite="tool-calling", arm="variant")
    for sample in result["samples"]:
        sample["prompt_sha256"] += "-other"


def _calibrated(passed: bool | None, is_unknown: bool = False) -> Spoil:
    def spoil(stored: Stored) -> None:
        told = {"is_calibration_unknown": True} if is_unknown else {"calibration_sha256": "c"}
        stored.payloads("artifact", effective_bits=4.1)[0].update(told)
        if passed is not None:
            stored.add(
                {"kind": "check", "stage": "audit", "name": "calibration-disjoint",
                 "passed": passed, "reason": "12 of 900 items share 13 words", "values": {}}
            )  # fmt: skip

    return spoil


def _nearly(stored: Stored) -> None:
    """The bound is 3.2615 points, the margin 3.26: to two places they are the same."""
    stored.gate("tool-calling")["margin"] = 0.0326


def _policy_loosened(stored: Stored) -> None:
    def loosen(policy: Any) -> None:
        stored.gate("tool-calling")["margin"] = stored.gate("all-suites")["margin"] = 0.5

    _suites(60, 0, 400)(stored)
    stored.policy_after = loosen


def _unbound(stored: Stored) -> None:
    stored.drop("binding")


def _cell(key: str, value: Any) -> Spoil:
    def spoil(stored: Stored) -> None:
        stored.payloads("cell", arm="variant", name="closed-1", repeat=0)[0][key] = value

    return spoil


def _engine_silent(stored: Stored) -> None:
    for cell in stored.payloads("cell", arm="variant"):
        cell["engine"]["preempted_total"] = None


def _survivors(stored: Stored) -> None:
    for cell in stored.payloads("cell", arm="variant"):
        cell["num_ok"] = 10


def _same_traces(stored: Stored) -> None:
    for cell in stored.payloads("cell", arm="variant"):
        cell["traces_sha256"] = "one"


def _no_null(stored: Stored) -> None:
    stored.gate("tool-calling")["max_null_flips"] = 0.03


def _early(stored: Stored) -> None:
    for result in stored.payloads("suite", suite="tool-calling"):
        result["num_planned"] = 800


def _cut(stored: Stored) -> None:
    (result,) = stored.payloads("suite", suite="tool-calling", arm="variant")
    for sample in result["samples"][:40]:
        sample["is_cut"] = True


def _at_chance(stored: Stored) -> None:
    for result in stored.payloads("suite", suite="tool-calling"):
        result["chance"] = 0.55


def _nonfinite(stored: Stored) -> None:
    stored.payloads("fidelity")[0]["num_nonfinite"] = 3


def _torn(folder: Path) -> None:
    file = next((folder / VARIANT).glob("step-0-*.json"))
    file.write_text(file.read_text()[:40])


def _tampered(folder: Path) -> None:
    file = next((folder / VARIANT).glob("step-0-*.json"))
    file.write_text(file.read_text().replace("seen", "well"))


def _after(damage: Callable[[Path], None]) -> Spoil:
    def spoil(stored: Stored) -> None:
        stored.after = damage

    return spoil


def _foreign(stored: Stored) -> None:
    next(one for one in stored.records if one["payload"]["kind"] == "fidelity")["run"] = "run-0"


def _copy(stored: Stored) -> None:
    """An identical copy, faster by nothing and smaller by nothing."""
    for memory in stored.payloads("memory"):
        memory["weight_bytes"] = 1000
    for cell in stored.payloads("cell", arm="variant"):
        (twin,) = stored.payloads("cell", arm="baseline", name=cell["name"], repeat=cell["repeat"])
        cell["metrics"] = dict(twin["metrics"])


CASES: tuple[Case, ...] = (
    Case(
        "a healthy variant (control)",
        "PROMOTE",
        "all 15 critical and required gates passed",
        _nothing,
    ),
    Case("threshold-only goals", "HOLD", "a blocking benefit gate is missing", _threshold_only),
    Case("no gates at all", "HOLD", "no critical or required gate", _no_gates),
    Case("advisory gates only", "HOLD", "no critical or required gate", _advisory_only),
    Case("an identical copy", "HOLD or REJECT", "5 % is asked", _copy),
    Case("missing metric", "HOLD", "has no tpot_ms_mean", _no_metric),
    Case("metric in one arm only", "HOLD", "baseline has no tpot_ms_mean", _one_arm),
    Case("lower-is-better ranked the wrong way", "HOLD", "is better when lower", _wrong_way),
    Case("direction not declared", "refused", "direction: Field required", _no_direction),
    Case("metric not declared", "HOLD", "is undeclared", _undeclared),
    Case(
        "NaN in a cell",
        "HOLD",
        "records did not verify",
        _raw('"tpot_ms_mean": 10.0', '"tpot_ms_mean": NaN'),
    ),
    Case(
        "infinity in a cell",
        "HOLD",
        "records did not verify",
        _raw('"tpot_ms_mean": 10.0', '"tpot_ms_mean": Infinity'),
    ),
    Case("NaN logits in the artifact", "REJECT", "nonfinite is 3", _nonfinite),
    Case("empty results", "HOLD", "0 items, 400 are needed", _empty),
    Case("unequal items", "HOLD", "in one arm only", _lost_item),
    Case("items issued and not returned", "HOLD", "400 came back", _issued_more),
    Case("duplicate items", "HOLD", "are there twice", _twice),
    Case("a suite recorded twice", "HOLD", "exactly 1 is needed", _recorded_twice),
    Case("a bound that rounds to the margin", "HOLD", "tool-calling loses", _nearly),
    Case("10 pairs with no discordance", "HOLD", "10 items, 400 are needed", _suites(0, 0, 10)),
    Case("ten tasks each just inside the margin", "REJECT", "over 12 suites", _ten_suites),
    Case(
        "missing answers in the baseline",
        "HOLD",
        "baseline answers are missing",
        _unanswered("baseline", 8),
    ),
    Case(
        "missing answers in the variant", "REJECT", "tool-calling loses", _unanswered("variant", 80)
    ),
    Case(
        "garbage counted as a correct refusal",
        "REJECT",
        "tool-calling loses 100 points",
        _silence(True),
    ),
    Case(
        "a refusal nobody looked at", "HOLD", "nobody looked whether it is language", _silence(None)
    ),
    Case("answers cut by the length limit", "HOLD", "cut by the length limit", _cut),
    Case("stale cache: same key, other weights", "HOLD", "was answered by weights", _stale),
    Case(
        "answers without their weights' digest",
        "HOLD",
        "does not say which weights answered",
        _of_variant("weights_sha256", None),
    ),
    Case(
        "calibration data in the evaluation data",
        "REJECT",
        "calibration-disjoint failed",
        _calibrated(False),
    ),
    Case(
        "calibration data nobody looked at",
        "HOLD",
        "apart from the evaluation data",
        _calibrated(None),
    ),
    Case(
        "a checkpoint of others who do not say what they calibrated it with",
        "HOLD",
        "apart from the evaluation data",
        _calibrated(None, is_unknown=True),
    ),
    Case("other prompts, BOS or token ids", "HOLD", "another prompt", _other_prompts),
    Case("another tokenizer", "HOLD", "another tokenizer", _condition("tokenizer")),
    Case("another chat template", "HOLD", "another chat template", _condition("chat template")),
    Case(
        "another generation config",
        "HOLD",
        "another generation config",
        _condition("generation config"),
    ),
    Case("another scoring rule", "HOLD", "different rules", _of_variant("rule", "lenient")),
    Case("baseline at chance", "HOLD", "chance is 55 %", _at_chance),
    Case(
        "policy loosened after the run", "HOLD", "has changed since the run began", _policy_loosened
    ),
    Case("run bound to no policy", "HOLD", "bound to no policy", _unbound),
    Case("null arm asked for, not measured", "HOLD", "null arm", _no_null),
    Case("judged early without a planned look", "HOLD", "of the planned items are in", _early),
    Case(
        "an invalid performance cell",
        "HOLD",
        "client saturation",
        _cell("invalid", ["client saturation: 12 ms"]),
    ),
    Case(
        "an engine metric that vanished", "HOLD", "no engine metric preempted_total", _engine_silent
    ),
    Case("figures of the survivors alone", "HOLD", "failed 10 of 20 requests", _survivors),
    Case("the same traces behind two repeats", "HOLD", "same traces", _same_traces),
    Case("evidence torn in the middle", "HOLD", "did not verify", _after(_torn)),
    Case("evidence changed after it was written", "HOLD", "did not verify", _after(_tampered)),
    Case("a record of another run", "HOLD", "another study or run", _foreign),
)
