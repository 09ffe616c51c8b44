"""Is what this version would start the command line that was qualified?

The command that a run recorded names folders of the store on the machine of then: they are compared
by their fingerprints, all else word by word.

Example: `--model /x/store/artifacts/0123456789abcdef` is compared as `--model 0123456789abcdef`.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from evals.results import EffectiveConfig
from reports.certificate.statement import Qualification
from variants.engines.adapter import Launch, ServedAdapter
from variants.engines.adapters import ADAPTERS
from variants.errors import CertificateError

# Text before, the folder of artifacts, the fingerprint, text after.
STORED = re.compile(r"^([^/]*)/.*?/artifacts/([0-9a-f]{8,64})(?![0-9a-z])(.*)$", re.DOTALL)
NEWER = "hand it over with the version that qualified it, or qualify it again"


def require_as_qualified(
    bound: Qualification,
    parts: dict[str, Path],
    ranks: Sequence[tuple[str, int]],
    config: EffectiveConfig | None,
) -> None:
    """Refuse to hand over what would not be started as it was measured.

    Raises:
        CertificateError: with the first word that differs, or that none was recorded.
    """
    adapter = ADAPTERS[bound.engine]
    if config is None:
        raise CertificateError(f"run {bound.run} recorded no command of {bound.variant}; {NEWER}")
    if (adapter.name, adapter.version) != (bound.engine, bound.engine_version):
        raise CertificateError(
            f"qualified on {bound.engine} {bound.engine_version}, and this version serves "
            f"{adapter.name} {adapter.version}; {NEWER}"
        )
    launch = Launch(
        artifact=parts["model"],
        serving=bound.serving,
        port=int(config.command[config.command.index("--port") + 1]),
        cache=Path("/cache"),
        draft=parts.get("draft"),
        adapters=tuple(
            ServedAdapter(name, parts[f"adapters/{name}"], rank) for name, rank in ranks
        ),
    )
    now = adapter.command(Path(config.command[0]), launch)
    for was, would in zip(
        [*_bare(config.command), "nothing"], [*_bare(now), "nothing"], strict=False
    ):
        if was != would:
            raise CertificateError(
                f"qualified with {was!r} where this version gives {would!r}; {NEWER}"
            )


def _bare(command: Sequence[str]) -> list[str]:
    """Leave out where things lay."""
    return [STORED.sub(r"\1\2\3", token) for token in command]
