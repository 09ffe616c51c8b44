"""Two runs, or two variants, side by side: which is put beside which, and on what ground.

What was measured in two runs is not paired: another day, another order, perhaps another machine.
Two figures are called apart where their intervals do not overlap, which is stricter than testing
their difference (Schenker and Gentleman, American Statistician 55:182, 2001), and only where both
runs were bound to the same policy, study, base, tools, engines and hardware. Else no difference
is called anything.

Example: 55.0 ms [53.1, 56.9] and 49.0 ms [47.2, 50.8] are apart; [53.1, 56.9] and [51, 54] overlap.
"""

from dataclasses import dataclass

from evals.results import Binding
from evals.statistics import Interval
from reports.blocks import Value
from reports.retold import told_of
from reports.view import VariantView, View, build_view
from variants.errors import LedgerError
from variants.home import Home

FIELDS = {
    "policy_sha256": "Policy",
    "study_sha256": "Study as written",
    "base": "Base",
    "tools": "Tools",
    "engines": "Lists of engine packages",
    "hardware": "Machine",
}


@dataclass(frozen=True, slots=True)
class Side:
    """One run, and the variant of it that is compared; None: all of them."""

    letter: str  # A or B
    view: View
    variant: str | None

    @property
    def run(self) -> str:
        """Name the run."""
        return self.view.told.run

    @property
    def label(self) -> str:
        """Name the side as it was asked for."""
        return f"{self.run}/{self.variant}" if self.variant else self.run

    @property
    def binding(self) -> Binding | None:
        """Return what the run was bound to, if it was recorded."""
        return next(iter(self.view.baseline.payloads(Binding)), None)

    def find(self, name: str | None) -> VariantView | None:
        """Return a variant of this run by name."""
        return next((one for one in self.view.variants if one.name == name), None)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two variants beside each other; None: this side has none of that name."""

    name: str
    a: VariantView | None
    b: VariantView | None


@dataclass(frozen=True, slots=True)
class Ground:
    """One thing that runs are bound to, on both sides; None: not recorded."""

    what: str
    a: str | None
    b: str | None

    @property
    def is_same(self) -> bool:
        """Whether both are known and equal."""
        return self.a is not None and self.a == self.b


@dataclass(frozen=True, slots=True)
class Sides:
    """Both sides, what is put beside what, and whether they stand on the same ground."""

    a: Side
    b: Side
    pairs: tuple[Pair, ...]

    @property
    def grounds(self) -> tuple[Ground, ...]:
        """Return what both runs were bound to."""
        return tuple(
            Ground(title, _field(self.a.binding, field), _field(self.b.binding, field))
            for field, title in FIELDS.items()
        )

    @property
    def differing(self) -> tuple[str, ...]:
        """Name what the runs were not both bound to in the same way."""
        return tuple(ground.what for ground in self.grounds if not ground.is_same)

    @property
    def is_one_run(self) -> bool:
        """Whether two variants of one run are compared."""
        return self.a.run == self.b.run


def sides_of(home: Home, first: str, second: str) -> Sides:
    """Read `RUN` or `RUN/VARIANT` twice; a variant named once is meant on both sides.

    Raises:
        LedgerError: no such run or variant, or both are the same.
    """
    (run_a, variant_a), (run_b, variant_b) = _parsed(first), _parsed(second)
    a = Side("A", build_view(told_of(home, run_a)), variant_a or variant_b)
    b = Side("B", build_view(told_of(home, run_b)), variant_b or variant_a)
    for side in (a, b):
        _require(side)
    if a.label == b.label:
        raise LedgerError(f"{a.label} is compared with itself; name another run or variant")
    return Sides(a, b, _pairs(a, b))


def read_apart(sides: Sides, a: Interval | None, b: Interval | None) -> Value:
    """Say whether two figures are apart, where anything may be said."""
    if sides.differing:
        return Value("not comparable", note="the runs were bound otherwise", tone="muted")
    if a is None or b is None:
        return Value("no interval on both sides", tone="muted")
    is_apart = a.upper < b.lower or b.upper < a.lower
    return Value("apart") if is_apart else Value("overlap", tone="muted")


def _parsed(asked: str) -> tuple[str, str | None]:
    run, _, variant = asked.partition("/")
    return run, variant or None


def _require(side: Side) -> None:
    names = [variant.name for variant in side.view.variants]
    if side.variant is not None and side.variant not in names:
        raise LedgerError(f"run {side.run!r} has no variant {side.variant!r}; it has {names}")


def _pairs(a: Side, b: Side) -> tuple[Pair, ...]:
    if a.variant and b.variant:
        name = a.variant if a.variant == b.variant else f"{a.variant} and {b.variant}"
        return (Pair(name, a.find(a.variant), b.find(b.variant)),)
    names = dict.fromkeys(one.name for side in (a, b) for one in side.view.variants)
    return tuple(Pair(name, a.find(name), b.find(name)) for name in names)


def _field(binding: Binding | None, field: str) -> str | None:
    found = getattr(binding, field, None)
    return None if found is None else str(found)
