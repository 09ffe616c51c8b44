"""One exact wheel from the index that pip is configured for, and pip's refusals in words."""

import re
import subprocess
import sys
from pathlib import Path

from variants.errors import SourceError

# First match wins: a machine without a network also says "No matching distribution".
# Source of the phrases: pip/_internal/index/package_finder.py and urllib3/util/retry.py.
REFUSALS = (
    (
        r"No space left on device|Disk quota exceeded",
        "the disk is full; free some space, or set TOUCHSTONE_HOME to another disk",
    ),
    (
        r"Failed to establish a new connection|NewConnectionError|NameResolutionError|"
        r"Temporary failure in name resolution|ConnectTimeoutError|ProxyError|ReadTimeoutError|"
        r"Network is unreachable|Connection refused",
        "the package index cannot be reached; connect, or point PIP_INDEX_URL or PIP_FIND_LINKS "
        "to a copy that can",
    ),
    (
        r"No matching distribution found|Could not find a version|ResolutionImpossible",
        "the configured package index has no such wheel for this machine; correct name and version",
    ),
    (r"No module named pip", "this Python has no pip; run `python -m ensurepip`"),
)


def download_wheel(requirement: str, folder: Path) -> Path:
    """Download exactly one wheel into an empty folder.

    Raises:
        SourceError: pip refused; with its own last error line and what to do.
    """
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
    command += ["--no-input", "--disable-pip-version-check", "--progress-bar=off", "--retries=2"]
    result = subprocess.run(
        [*command, "--dest", str(folder), requirement], capture_output=True, text=True, check=False
    )
    wheels = sorted(folder.glob("*.whl"))
    if result.returncode == 0 and len(wheels) == 1:
        return wheels[0]
    raise SourceError(explain(requirement, result.stderr or result.stdout))


def explain(requirement: str, output: str) -> str:
    """Turn pip's output into one message: what, value, what to do."""
    errors = re.findall(r"^(?:ERROR: )?(.*\S)", output, flags=re.MULTILINE)
    last = errors[-1] if errors else "pip said nothing"
    for pattern, advice in REFUSALS:
        if re.search(pattern, output):
            return f"wheel {requirement}: {advice} (pip: {last})"
    return f"wheel {requirement}: pip refused it ({last}); run the same `pip download` to see more"
