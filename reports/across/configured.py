"""What was served and built on both sides: only what differs is listed, and the rest counted."""

from collections.abc import Iterator, Mapping, Sequence

from evals.results import Artifact, EffectiveConfig
from reports.across.linking import Links
from reports.across.sides import Side, Sides
from reports.blocks import Block, Column, Missing, Prose, Table, Value
from reports.content import Part
from reports.retold import UNRECORDED
from reports.view import Arm

ABSENT = Value("not recorded", tone="muted")
Settings = dict[str, str]


def ground_part(sides: Sides, links: Links) -> Part:
    """Say what is compared, and on what ground."""
    about = Table(
        caption="What is compared",
        columns=tuple(map(Column, ("Side", "Run", "Study", "Variant", "Policy and margin"))),
        rows=tuple(_side(side, links) for side in (sides.a, sides.b)),
    )
    if sides.is_one_run:
        return Part("ground", "Ground", (about, Prose(ONE_RUN)))
    return Part("ground", "Ground", (about, Prose(_warning(sides)), _bindings(sides)))


def configuration_part(sides: Sides) -> Part:
    """List the differing settings of machines, engines and artifacts."""
    machines = [_machine(side) for side in (sides.a, sides.b)]
    blocks: list[Block] = [] if sides.is_one_run else [_differing("Machine and tools", *machines)]
    for pair in sides.pairs:
        if pair.a and pair.b:
            blocks.append(_differing(pair.name, settings_of(pair.a), settings_of(pair.b)))
    nothing = Missing("No variant stands on both sides: there is no configuration to compare.")
    return Part("side-configuration", "Configuration side by side", tuple(blocks) or (nothing,))


def _machine(side: Side) -> Settings:
    told = side.view.told.machine
    return {} if told == UNRECORDED else dict(told)


ONE_RUN = (
    "Both variants are of one run, hence of one machine, base and policy. Each was measured beside "
    "the baseline and not beside the other: they are not paired."
)


def _warning(sides: Sides) -> str:
    if not sides.differing:
        return (
            "Both runs were bound to the same policy, study, base, tools, engines and machine. "
            "Their measurements are not paired even so."
        )
    return (
        f"Not bound alike: {', '.join(sides.differing)}. Differences between A and B below may "
        "come from there: none of them is called apart, better or worse, and nothing is paired."
    )


def _side(side: Side, links: Links) -> tuple[Value, ...]:
    link = links.report(side.run)
    return (
        Value(side.letter),
        Value(side.run, link=link, note="" if link else "no report is written"),
        Value(side.view.told.study.name),
        Value(side.variant or "all"),
        Value(side.view.policy),
    )


def _bindings(sides: Sides) -> Table:
    return Table(
        caption="What both runs were bound to when they began, as digests",
        columns=tuple(map(Column, ("What", "A", "B", "Reading"))),
        rows=tuple(
            (Value(one.what), _digest(one.a), _digest(one.b), _same(one.is_same))
            for one in sides.grounds
        ),
    )


def _digest(digest: str | None) -> Value:
    if digest is None:
        return Value("not recorded", tone="muted")
    return Value(digest[:16], exact=digest if len(digest) > 16 else "")


def _same(is_same: bool) -> Value:
    return Value("same", tone="muted") if is_same else Value("differs", tone="hold")


def _differing(name: str, a: Mapping[str, str], b: Mapping[str, str]) -> Block:
    names = list(dict.fromkeys([*a, *b]))
    if not names:
        return Missing(f"{name}: no setting was recorded on either side.")
    rows = [one for one in names if a.get(one) != b.get(one)]
    num_same = len(names) - len(rows)
    if not rows:
        return Prose(f"{name}: all {num_same} recorded settings are the same.")
    return Table(
        caption=f"{name}: what differs; {num_same} recorded settings are the same.",
        columns=tuple(map(Column, ("Setting", "A", "B"))),
        rows=tuple((Value(one), _setting(a, one), _setting(b, one)) for one in rows),
    )


def _setting(settings: Mapping[str, str], name: str) -> Value:
    found = settings.get(name)
    return ABSENT if found is None else Value(found or "empty", tone="plain" if found else "muted")


def settings_of(arm: Arm) -> Settings:
    """Return all that is known of how an arm was built and served: name -> value."""
    found: Settings = {}
    for artifact in arm.payloads(Artifact)[-1:]:
        found |= {
            "artifact": artifact.fingerprint,
            "weight bytes": f"{artifact.weight_bytes:,}",
            "bits per weight": f"{artifact.effective_bits:g}",
            "calibration": artifact.calibration_sha256 or "none",
        }
        found |= {f"tool {name}": version for name, version in sorted(artifact.tools.items())}
    for config in arm.payloads(EffectiveConfig)[-1:]:
        found |= {"engine": f"{config.engine} {config.version}"} | dict(_arguments(config.command))
        found |= {f"variable {name}": one for name, one in sorted(config.environment.items())}
        found |= {f"reports {name}": one for name, one in sorted(config.reported.items())}
    return found


def _arguments(command: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Pair each option with its value; what stands alone is named by its position."""
    taken = list(command)
    for at, word in enumerate(taken):
        follows = taken[at + 1] if at + 1 < len(taken) else ""
        if word.startswith("--"):
            name, has_value, value = word.partition("=")
            yield name, value if has_value else "set" if follows.startswith("--") else follows
        elif at == 0 or not taken[at - 1].startswith("--"):
            yield f"word {at}", word
