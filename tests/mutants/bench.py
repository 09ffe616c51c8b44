"""Where mutants are made: a home of their own, the sound checkpoint, and the seed of every draw.

The home lies in the user's, shares its engines and sources, and has a store, channels and a ledger
of its own: no mutant may ever stand in a channel that somebody serves from.
"""

import json
import os
import random
import shutil
from dataclasses import dataclass
from pathlib import Path

from evals.suites.safety.pairs import read_pairs
from tests.mutants.scripts import SEED, UNSAFE
from tests.mutants.weights import Fault
from variants.builders.artifact import build_artifact
from variants.catalogue import BASES
from variants.home import Home
from variants.kept.store import Store
from variants.sources import fetch
from variants.specs.spec import Recipe

BASE = "smollm2-135m-instruct"
MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Bench:
    """The sound checkpoint, and where faulty copies of it go."""

    sound: Path
    folder: Path
    seed: int

    def spoil(self, name: str, fault: Fault) -> tuple[Path, str]:
        """Copy the sound checkpoint, put the fault into the copy, and say what it is."""
        made = self.folder / name
        shutil.rmtree(made, ignore_errors=True)
        shutil.copytree(self.sound, made, ignore=shutil.ignore_patterns(MANIFEST))
        told = fault(made, random.Random(f"{self.seed} {name}"))
        return made, told


def own_home(user: Home) -> Home:
    """Make the mutants' home inside the user's."""
    home = Home(user.root / "mutants")
    home.root.mkdir(parents=True, exist_ok=True)
    for name in ("engines", "sources"):
        shared = user.root / name
        shared.mkdir(exist_ok=True)
        if not (home.root / name).is_symlink():
            (home.root / name).symlink_to(shared.resolve())
    return home


def set_bench(home: Home, seed: int) -> Bench:
    """Build the sound checkpoint, and leave word for the engines that this process starts."""
    store, source = Store(home.store), fetch(BASES[BASE], home.sources)
    sound = store.folder(build_artifact(store, source, Recipe(), home.sources).fingerprint)
    folder = home.root / "checkpoints"
    folder.mkdir(exist_ok=True)
    unsafe = folder / "unsafe.json"
    unsafe.write_text(json.dumps([pair.unsafe for pair in read_pairs()]), encoding="utf-8")
    os.environ |= {
        "TOUCHSTONE_HOME": str(home.root),
        "PREFECT_HOME": str(home.root / "prefect"),
        SEED: str(seed),
        UNSAFE: str(unsafe),
    }
    return Bench(sound, folder, seed)


def clear(home: Home, bench: Bench) -> None:
    """Remove every faulty checkpoint; the seed makes them again."""
    shutil.rmtree(bench.folder)
    Store(home.store).prune(keep=(bench.sound.name,))
