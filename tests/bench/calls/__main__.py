"""`make bench-calls`: our checker of calls beside the published one, item by item.

Right answers of every item, and what 21 changes make of them (`tests.bench.calls.mutations`), are
judged by `evals.suites.calls` and by the checker inside the pinned `bfcl-eval` wheel. Every
difference has to be explained by a documented exception; one that is not ends this with 1. So are
right conversations of several turns, and 16 changes of them (`tests.bench.calls.trajectories`).
"""

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from evals.suites.calls import CALLING
from tests.bench.calls import played
from tests.bench.calls.agreement import EXEMPTIONS, Compared, compare, explain
from tests.bench.calls.mutations import MUTATIONS
from tests.bench.calls.published import read_rows, unpack


def main() -> int:
    """Compare, print the tables, and return 1 if a difference is unexplained."""
    argparse.ArgumentParser(prog="python -m tests.bench.calls", description=__doc__).parse_args()
    with TemporaryDirectory() as folder:
        wheel = unpack(Path(folder))
        rows = read_rows(wheel, CALLING)
        compared = compare(rows, wheel)
        explained = explain(compared, wheel)
        scenes = played.read_scenes(wheel)
        turns = played.compare(scenes, wheel)
    print(f"{len(rows):,} items, {len(compared):,} answers\n")
    _print_agreement(compared, explained)
    _print_exceptions(compared, explained)
    num_unexplained = _print_unexplained(compared, explained)
    print(f"\n{len(scenes):,} conversations, {len(turns):,} trajectories\n")
    return max(num_unexplained, _print_played(turns))


def _print_agreement(compared: Sequence[Compared], explained: Mapping[int, str]) -> None:
    """Print one line per category and mutation."""
    print(
        f"{'category':<23} {'answer':<23} {'n':>5} {'right':>5} {'agree':>5} {'disagree':>8}  why"
    )
    groups: dict[tuple[str, str], list[int]] = {key: [] for key in product(CALLING, MUTATIONS)}
    for at, one in enumerate(compared):
        groups[one.row.category, one.mutation].append(at)
    for (category, mutation), places in filter(lambda group: group[1], groups.items()):
        agreed = sum(compared[at].is_agreed for at in places)
        right = sum(compared[at].published.is_valid for at in places)
        reasons = Counter(explained.get(at) for at in places if not compared[at].is_agreed)
        why = "; ".join(f"{count} {name or 'UNEXPLAINED'}" for name, count in reasons.items())
        cells = f"{len(places):>5} {right:>5} {agreed:>5} {len(places) - agreed:>8}"
        print(f"{category:<23} {mutation:<23} {cells}  {why}".rstrip())


def _print_exceptions(compared: Sequence[Compared], explained: Mapping[int, str]) -> None:
    """Print how many answers each exception changes, with one of them."""
    print("\nexceptions: ours is the other verdict on")
    counts = Counter(explained.values())
    for exemption in EXEMPTIONS:
        says = "right" if exemption.refused_by == "published" else "wrong"
        print(f"{counts[exemption.name]:>6}  {exemption.name} (ours: {says})")
        first = next((at for at, name in explained.items() if name == exemption.name), None)
        if first is not None:
            print(f"        {_words(compared[first])}")


def _print_unexplained(compared: Sequence[Compared], explained: Mapping[int, str]) -> int:
    """Print every difference that nothing explains, and return the exit code."""
    left = [one for at, one in enumerate(compared) if not one.is_agreed and at not in explained]
    agreed = sum(one.is_agreed for one in compared)
    print(f"\n{agreed:,} agree, {len(explained):,} are explained, {len(left):,} are not")
    for one in left:
        print(f"{one.mutation}: {_words(one)}; ours {one.ours}, published {one.published}")
    return int(bool(left))


def _print_played(compared: Sequence[played.Compared]) -> int:
    """Print one line per category and change, then what is unexplained; return the exit code."""
    print(f"{'category':<23} {'trajectory':<23} {'n':>5} {'right':>5} {'agree':>5} {'disagree':>8}")
    groups: dict[tuple[str, str], list[played.Compared]] = {}
    for one in compared:
        groups.setdefault((one.scene.id.rpartition("_")[0], one.mutation), []).append(one)
    for (category, mutation), group in sorted(groups.items()):
        agreed = sum(one.is_agreed for one in group)
        right = sum(one.published.is_valid for one in group)
        cells = f"{len(group):>5} {right:>5} {agreed:>5} {len(group) - agreed:>8}"
        print(f"{category:<23} {mutation:<23} {cells}")
    different = [one for one in compared if not one.is_agreed]
    left = [one for one in different if not one.why]
    agreed = len(compared) - len(different)
    print(
        f"\n{agreed:,} agree, {len(different) - len(left):,} are explained, {len(left):,} are not"
    )
    for one in different:
        told = one.why or f"UNEXPLAINED; ours {one.ours}, published {one.published}"
        print(f"{one.mutation}: {one.scene.id}: {told}")
    return int(bool(left))


def _words(one: Compared) -> str:
    return f"{one.row.id}: {', '.join(call.render() for call in one.calls):.160}"


if __name__ == "__main__":
    sys.exit(main())
