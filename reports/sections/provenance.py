"""What exactly was measured, and how to do it again."""

from evals.results import Artifact
from reports.blocks import Block, Column, Missing, Section, Table, Value, Verbatim
from reports.figures.making import making_table
from reports.view import Arm, View
from reports.words.numbers import duration, num_bytes, reading

ARTIFACT_COLUMNS = (
    Column("Arm"),
    Column("Artifact"),
    Column("Weights", "number"),
    Column("Bits per weight", "number"),
    Column("Build", "number"),
    Column("Tools"),
)


def build(view: View) -> tuple[Block, ...]:
    """Fill the section."""
    return (_facts(view), _artifacts(view), *making_table(view), *_commands(view))


def _facts(view: View) -> Table:
    told = view.told
    policies = sorted({f"{d.policy} {d.policy_sha256}" for d in told.decisions})
    facts = (
        ("Study", told.study.name),
        ("Run", told.run),
        ("Base", told.base.source),
        ("Base digest", told.base.sha256 or "not pinned"),
        ("Policy", "; ".join(policies) or told.study.policy),
        ("Seed", str(told.study.seed)),
        ("Report written", told.written_at),
        *told.machine,
    )
    rows = tuple((Value(name), Value(value)) for name, value in facts)
    return Table("Facts of the run", (Column("What"), Column("Value")), rows)


def _artifacts(view: View) -> Block:
    rows = tuple(_artifact(arm, item) for arm in view.arms for item in arm.payloads(Artifact)[-1:])
    if not rows:
        return Missing("No artifact was recorded in this run.")
    return Table("Artifacts, named by their fingerprint", ARTIFACT_COLUMNS, rows)


def _artifact(arm: Arm, item: Artifact) -> tuple[Value, ...]:
    calibration = item.calibration_sha256
    if item.is_calibration_unknown:
        calibration = "unknown to its files: see the audit"
    tools = ", ".join(f"{name} {version}" for name, version in sorted(item.tools.items()))
    time = duration(item.build_seconds)
    return (
        Value(arm.name, colour=arm.colour),
        Value(item.fingerprint, note=f"calibration {calibration}" if calibration else item.note),
        num_bytes(item.weight_bytes),
        reading(item.effective_bits, "bits"),
        Value(time.text, exact=time.exact, note="from the store" if item.was_cached else ""),
        Value(tools),
    )


def _commands(view: View) -> tuple[Block, ...]:
    if not view.told.commands:
        return (Missing("No command to reproduce this run was recorded."),)
    again = Verbatim("To reproduce this run", "\n".join(view.told.commands))
    promotion = view.told.promotion
    if promotion is None or promotion.action not in ("move", "confirm"):
        return (again,)
    verify = f"python -m reports.certificate verify {view.told.run}"
    return (again, Verbatim("To ask whether what was qualified still holds", verify))


SECTION = Section("provenance", "Provenance", build)
