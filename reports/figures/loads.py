"""Which cells of a study differ in load alone, and so stand on one axis of load.

Example: closed-1, closed-8, poisson-1.5, poisson-2.5 and gamma-1.5-cv3 are a panel of closed loops
by concurrency, one of Poisson arrivals by rate, and one of what is left, side by side.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from evals.workload.cell import CellSpec
from reports.charts import LoadAxis

CLOSED = ("output_tokens_per_s", "tpot_ms", "ttft_ms")
OPEN = ("goodput_rps", "attainment", "tpot_ms", "ttft_ms")
OTHER = ("tpot_ms", "ttft_ms")  # beside panels of their own; the table holds the rest
AXES = {"closed": LoadAxis("requests at once", is_log=True),
        "poisson": LoadAxis("requests/s offered", is_log=False)}  # fmt: skip
METRICS = {"closed": CLOSED, "poisson": OPEN}
NAMES = {
    "closed": "Closed loops: a caller asks again once it is answered.",
    "poisson": "Open loops: Poisson arrivals, whether or not the engine keeps up. Dashed in the "
    "first chart: grey all that was offered, red the share of it that the SLO asks for.",
}


@dataclass(frozen=True, slots=True)
class Panel:
    """Cells of one axis, and what is drawn of them."""

    name: str
    loads: dict[str, float | None]  # by name of the cell
    metrics: tuple[str, ...]
    axis: LoadAxis | None = None


def panels(cells: Sequence[CellSpec]) -> tuple[Panel, ...]:
    """Put the largest family of each kind of load on an axis, and all others side by side."""
    found = [_panel(kind, family) for kind in AXES if (family := _largest(cells, kind))]
    placed = {name for panel in found for name in panel.loads}
    rest: dict[str, float | None] = {one.name: None for one in cells if one.name not in placed}
    if not rest:
        return tuple(found)
    name = "Other cells, each a load of its own kind." if found else ""
    every = tuple(dict.fromkeys((*CLOSED, *OPEN)))
    return (*found, Panel(name, rest, OTHER if found else every))


def _panel(kind: str, family: Sequence[CellSpec]) -> Panel:
    ascending = sorted(family, key=lambda one: _load(one, kind))
    loads: dict[str, float | None] = {one.name: _load(one, kind) for one in ascending}
    return Panel(NAMES[kind], loads, METRICS[kind], AXES[kind])


def _largest(cells: Sequence[CellSpec], kind: str) -> Sequence[CellSpec]:
    """Return the family with the most loads, the first of several; () where none has two."""
    families: dict[str, list[CellSpec]] = {}
    for one in cells:
        if getattr(one, kind) is not None:
            families.setdefault(one.model_dump_json(exclude={kind, "judged"}), []).append(one)
    largest = max(families.values(), key=len, default=[])
    return largest if len(largest) > 1 else ()


def _load(cell: CellSpec, kind: str) -> float:
    return float(getattr(cell, kind))
