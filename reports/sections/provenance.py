"""What exactly was measured, and how to do it again."""

from evals.results import Artifact, EffectiveConfig
from reports.blocks import Block, Column, Missing, Section, Table, Value, Verbatim
from reports.making import making_table
from reports.numbers import duration, num_bytes, reading
from reports.view import Arm, View

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
    made = making_table(view)
    return (_facts(view), _artifacts(view), *made, *_configs(view), *_commands(view))


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


def _configs(view: View) -> tuple[Block, ...]:
    found = [(arm, item) for arm in view.arms for item in arm.payloads(EffectiveConfig)[-1:]]
    if not found:
        return (Missing("No engine's effective configuration was read back in this run."),)
    return tuple(
        Verbatim(
            f"{arm.name}: {item.engine} {item.version}, as launched and as it reports",
            _config(item),
        )
        for arm, item in found
    )


def _config(item: EffectiveConfig) -> str:
    environment = [f"{name}={value}" for name, value in sorted(item.environment.items())]
    reported = [f"{name}: {value}" for name, value in sorted(item.reported.items())]
    return "\n".join([*environment, " ".join(item.command), "", *reported])


def _commands(view: View) -> tuple[Block, ...]:
    if not view.told.commands:
        return (Missing("No command to reproduce this run was recorded."),)
    return (Verbatim("To reproduce this run", "\n".join(view.told.commands)),)


SECTION = Section("provenance", "Provenance", build)
