"""Publish to an OCI registry: one layer per file, the version and each alias as tags.

Address: oci://HOST/REPOSITORY, or oci+http://HOST/REPOSITORY on loopback. OCI_USERNAME and
OCI_PASSWORD are read from the environment. Source: OCI distribution specification 1.1, push.
"""

import hashlib
import json
import os
import re
from typing import IO

from reports.publishing.package import Package
from reports.publishing.rest import Rest
from variants.errors import PromotionError

MANIFEST = "application/vnd.oci.image.manifest.v1+json"
ARTIFACT, LAYER = "application/vnd.touchstone.handoff.v1", "application/octet-stream"
EMPTY = b"{}"
TITLE = "org.opencontainers.image.title"
VERSION = "touchstone.version"
MISSING = (404,)


class OciPublisher:
    """Slots of `reports.publishing.package.Publisher`."""

    def __init__(self, address: str) -> None:
        """Take oci://HOST/REPOSITORY."""
        scheme, _, rest = address.partition("://")
        host, _, repository = rest.partition("/")
        if not repository:
            raise PromotionError(f"{address} names no repository; give oci://HOST/REPOSITORY")
        user, password = os.environ.get("OCI_USERNAME"), os.environ.get("OCI_PASSWORD")
        url = f"{'http' if scheme == 'oci+http' else 'https'}://{host}"
        self._rest = Rest(url, (user, password) if user and password else None, None)
        self._repository = repository.strip("/")
        self._address = f"{host}/{self._repository}"

    def put(self, package: Package) -> str:
        """Push the layers that are not there, then the manifest under the version's tag."""
        for name, digest in package.files.items():
            with package.path(name).open("rb") as stream:  # of any size: never whole in memory
                self._push(f"sha256:{digest}", stream, package.path(name).stat().st_size)
        self._push(_sha256(EMPTY), EMPTY, len(EMPTY))
        self._tag(package, package.version)
        return f"oci://{self._address}:{package.version}"

    def point(self, package: Package, alias: str) -> None:
        """Tag the same manifest with the alias."""
        self._tag(package, _tag_of(package.name, alias))

    def current(self, name: str, alias: str) -> str | None:
        """Read the version that the alias' manifest names."""
        path = f"/v2/{self._repository}/manifests/{_tag_of(name, alias)}"
        found = self._rest.ask("GET", path, MISSING, headers={"accept": MANIFEST})
        return str(found.json()["annotations"][VERSION]) if found.is_success else None

    def _push(self, digest: str, content: bytes | IO[bytes], num_bytes: int) -> None:
        blob = f"/v2/{self._repository}/blobs/{digest}"
        if self._rest.ask("HEAD", blob, MISSING).is_success:
            return
        begun = self._rest.ask("POST", f"/v2/{self._repository}/blobs/uploads/")
        place = begun.headers["location"]
        join = "&" if "?" in place else "?"
        headers = {"content-type": LAYER, "content-length": str(num_bytes)}
        self._rest.ask("PUT", f"{place}{join}digest={digest}", content=content, headers=headers)

    def _tag(self, package: Package, tag: str) -> None:
        layers = [
            {"mediaType": LAYER, "digest": f"sha256:{digest}",
             "size": package.path(name).stat().st_size, "annotations": {TITLE: name}}
            for name, digest in package.files.items()
        ]  # fmt: skip
        manifest = {
            "schemaVersion": 2,
            "mediaType": MANIFEST,
            "artifactType": ARTIFACT,
            "config": {"mediaType": "application/vnd.oci.empty.v1+json",
                       "digest": _sha256(EMPTY), "size": len(EMPTY)},
            "layers": layers,
            "annotations": package.about | {VERSION: package.version},
        }  # fmt: skip
        path = f"/v2/{self._repository}/manifests/{tag}"
        headers = {"content-type": MANIFEST}
        self._rest.ask("PUT", path, content=json.dumps(manifest).encode(), headers=headers)


def _sha256(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def _tag_of(name: str, alias: str) -> str:
    """Spell an alias of a channel as a tag: 128 letters, digits, dots, dashes at most."""
    return re.sub(r"[^A-Za-z0-9_.-]", "-", f"{name}.{alias}")[:128]
