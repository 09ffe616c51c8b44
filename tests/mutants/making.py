"""Ways of making a mutant: by the catalogue, from a faulty checkpoint, or by a faulty server."""

import shlex
from collections.abc import Callable
from dataclasses import dataclass

from evals.study import VariantEntry
from tests.mutants.bench import Bench
from tests.mutants.weights import Fault, noise
from variants.kept.contents import digest_content

UNCALIBRATED = "none: its fault was made here, of no text"
PROCESSORS = "--logits-processors tests.mutants.behaviours:"


@dataclass(frozen=True, slots=True)
class Made:
    """A mutant as a study names it, and what was done to make it."""

    entry: VariantEntry
    how: str


Make = Callable[[str, Bench], Made]  # from the mutant's name


def named(words: str) -> Make:
    """Take a variant of the catalogue by its name."""
    return lambda name, bench: Made(name, words)


def prebuilt(fault: Fault) -> Make:
    """Spoil the sound checkpoint; the copy claims to be as it was."""

    def make(name: str, bench: Bench) -> Made:
        folder, told = bench.spoil(name, fault)
        source = f"file://{folder}#sha256={digest_content(folder)}"
        entry = {"name": name, "source": source, "calibration": UNCALIBRATED}
        return Made({"prebuilt": entry}, told)  # type: ignore[dict-item]

    return make


def served(arguments: str, words: str) -> Make:
    """Serve the sound checkpoint with further engine arguments."""
    return lambda name, bench: Made({"served": {"name": name, "arguments": arguments}}, words)


def answered_by(processor: str, words: str) -> Make:
    """Serve the sound checkpoint behind a processor of `behaviours.py`."""
    return served(PROCESSORS + processor, words)


def stale(sigma: float) -> Make:
    """Have the server load another checkpoint than the one that was audited."""

    def make(name: str, bench: Bench) -> Made:
        folder, told = bench.spoil(name, noise(sigma))
        arguments = f"--model {shlex.quote(str(folder))}"  # given twice, the last counts
        return Made({"served": {"name": name, "arguments": arguments}}, f"serves another: {told}")

    return make
