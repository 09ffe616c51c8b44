"""hf://ORG/NAME@REVISION: a snapshot from a Hugging Face hub, safetensors and text files only.

A revision that is a 40-hex commit always gives the same bytes; a branch or a tag is resolved, and
the commit it meant is recorded in the source. Pickled weights are never downloaded.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import httpx
from huggingface_hub import snapshot_download
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    LocalEntryNotFoundError,
    OfflineModeIsEnabled,
    RevisionNotFoundError,
)

from variants.errors import SourceError
from variants.kept.contents import digest_content
from variants.kept.durable import free_bytes, is_disk_full
from variants.sources.file import require_model, require_pin
from variants.sources.source import Source
from variants.specs.spec import Base

ADDRESS = re.compile(r"^hf://(?P<repo>[\w.-]+/[\w.-]+)@(?P<revision>[\w./-]+)$", re.ASCII)
WANTED = ["*.safetensors", "*.json", "*.jinja", "*.model", "*.txt"]


class Download(Protocol):
    """What `huggingface_hub.snapshot_download` is called as."""

    def __call__(
        self,
        repo_id: str,
        *,
        revision: str,
        cache_dir: Path,
        token: str | None,
        allow_patterns: list[str],
    ) -> str:
        """Return the folder of the snapshot."""


def fetch_hub(
    base: Base, cache: Path, token: str | None = None, download: Download = snapshot_download
) -> Source:
    """Download a snapshot, or take it from the cache.

    Without a token the library's own rule applies (HF_TOKEN, then a saved login).

    Raises:
        SourceError: with its own words for 401, a licence, 403, 404, offline and a full disk.
    """
    folder = snapshot(base.source, cache, token, download)
    require_model(folder)
    digest = digest_content(folder)
    require_pin(base, digest)
    repo = base.source.removeprefix("hf://").partition("@")[0]
    return Source(folder, digest, f"{repo} at commit {folder.name}, sha256 {digest}", folder.name)


def snapshot(
    source: str,
    cache: Path,
    token: str | None = None,
    download: Download = snapshot_download,
    wanted: Sequence[str] = WANTED,
) -> Path:
    """Download what is wanted of a repository, whatever kind of model it holds.

    Raises:
        SourceError: as above.
    """
    found = ADDRESS.fullmatch(source)
    if found is None:
        raise SourceError(
            f"{source!r} is no hf://ORG/NAME@REVISION; a revision is required, "
            "best the 40 hex digits of a commit"
        )
    repo, revision, hub = found["repo"], found["revision"], cache / "hub"
    asked = list(wanted)
    try:
        return Path(
            download(repo, revision=revision, cache_dir=hub, token=token, allow_patterns=asked)
        )
    except (OSError, httpx.HTTPError) as problem:
        raise SourceError(explain(source, cache, problem)) from problem


def explain(source: str, cache: Path, problem: Exception) -> str:
    """Turn the hub's refusal into one message: what, value, what to do."""
    if is_disk_full(problem):
        return (
            f"{source}: the disk of {cache} is full ({free_bytes(cache):,} bytes free); "
            "free some space, or set TOUCHSTONE_HOME to another disk"
        )
    # The library wraps what the hub answered when it also finds no copy in its cache.
    if isinstance(problem, LocalEntryNotFoundError) and isinstance(problem.__cause__, Exception):
        problem = problem.__cause__
    if isinstance(problem, HfHubHTTPError):
        return f"{source}: {explain_http(problem)}"
    if isinstance(problem, OfflineModeIsEnabled):
        return f"{source}: HF_HUB_OFFLINE is set and no copy is cached; unset it or fetch it before"
    if isinstance(problem, LocalEntryNotFoundError | httpx.TransportError):
        return (
            f"{source}: the hub cannot be reached ({problem}); connect, set HF_ENDPOINT to a "
            "mirror, or give the model as file:///PATH"
        )
    return f"{source}: it cannot be downloaded ({problem}); see the words in brackets"


def explain_http(problem: HfHubHTTPError) -> str:
    """Say what an HTTP status of the hub means, and what to do."""
    status = problem.response.status_code
    if isinstance(problem, GatedRepoError):
        return (
            f"the model is gated ({status}): accept its licence on its page with your account, "
            "then give that account's token as HF_TOKEN"
        )
    if isinstance(problem, RevisionNotFoundError):
        return f"no such revision ({status}); correct what follows the @"
    advice = {
        401: "it does not exist, or is private and the token is missing or expired; set HF_TOKEN",
        403: "this token may not read it; ask its owner, or use a token with that right",
        404: "no such model; correct ORG/NAME",
        429: "the hub limits requests; wait, or give a token as HF_TOKEN",
    }
    return f"{status}: {advice.get(status, f'the hub failed ({problem}); try again later')}"
