"""What one check of an audit says."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """A check's name, whether it passed, why in words, and the values it saw."""

    name: str
    passed: bool
    reason: str
    values: dict[str, float | str | None] = field(default_factory=dict)


def judge(
    name: str, problems: list[str], praise: str, **values: float | str | None
) -> AuditFinding:
    """Pass where there is no problem; else name the first few, and how many there are."""
    if not problems:
        return AuditFinding(name, True, praise, values)
    shown = "; ".join(problems[:5])
    more = f"; and {len(problems) - 5} more" if len(problems) > 5 else ""
    return AuditFinding(name, False, shown + more, {**values, "num_problems": len(problems)})
