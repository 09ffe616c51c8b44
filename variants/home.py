"""Where state lies: everything under one folder, `TOUCHSTONE_HOME` or `.touchstone/` here."""

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Home:
    """The folders of one home; each is made by whoever writes to it first."""

    root: Path

    @classmethod
    def from_environment(cls) -> "Home":
        """Take TOUCHSTONE_HOME, or `.touchstone/` in the working directory."""
        return cls(Path(os.environ.get("TOUCHSTONE_HOME", ".touchstone")).resolve())

    @property
    def store(self) -> Path:
        """Artifacts and evidence."""
        return self.root / "store"

    @property
    def sources(self) -> Path:
        """Fetched bases and suite data."""
        return self.root / "sources"

    @property
    def engines(self) -> Path:
        """Engine environments."""
        return self.root / "engines"

    @property
    def caches(self) -> Path:
        """Compile caches of engines, one per artifact and serving."""
        return self.root / "caches"

    @property
    def channels(self) -> Path:
        """Channels: which variant is in production."""
        return self.root / "channels"

    @property
    def keys(self) -> Path:
        """The key that signs certificates; readable by its owner alone."""
        return self.root / "keys"

    @property
    def certificates(self) -> Path:
        """Certificates: one file per run that promoted something."""
        return self.root / "certificates"

    def certificate(self, run: str) -> Path:
        """Name the file of a run's certificate, whether or not it exists."""
        return self.certificates / f"{run}.json"

    def bill(self, run: str) -> Path:
        """Name the bill of materials of what a run promoted."""
        return self.certificates / f"{run}.bom.json"

    def handoff(self, run: str) -> Path:
        """Name the folder that deploys what a run promoted."""
        return self.root / "handoffs" / run

    @property
    def waivers(self) -> Path:
        """Waivers: one file each, added and never changed."""
        return self.root / "waivers"

    @property
    def reports(self) -> Path:
        """HTML reports, one folder per run."""
        return self.root / "reports"

    def report(self, run: str) -> Path:
        """Name the folder of a run's report, whether or not it exists."""
        return self.reports / run

    @property
    def ledger(self) -> Path:
        """The DuckDB file derived from evidence."""
        return self.root / "ledger.duckdb"

    def run(self, run: str) -> Path:
        """What a run leaves besides evidence: its study, engine logs, scratch files."""
        return self.root / "runs" / run
