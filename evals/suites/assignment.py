"""Which suite is asked of which arm, and how much of it."""

from dataclasses import dataclass

from evals.results import Path, SuiteArm
from evals.suites.naming import Entry


@dataclass(frozen=True, slots=True)
class Assignment:
    """Which suite is asked of which arm, how."""

    suite: Entry
    arm: SuiteArm
    path: Path
    num_items: int  # drawn: the same set in every arm
    seed: int
    files: dict[str, str]
    window: int | None = None  # tokens that the server takes, prompt and answer; None: any number
    num_asked: int | None = None  # of those drawn, the first so many; None: all
    begin: int = 0  # a block of those: from here
    end: int | None = None  # up to, not including, here; None: to the last
    shard: int = 0
    num_shards: int = 1

    @property
    def words(self) -> str:
        """Say whom, and which part."""
        part = f", part {self.shard + 1} of {self.num_shards}" if self.num_shards > 1 else ""
        return f"{self.arm}{part}"
