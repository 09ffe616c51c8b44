"""Publish to an S3-compatible store (adapter: boto3, the extra `s3`).

Address: s3://BUCKET/PREFIX. Endpoint, region and credentials come from the environment as boto3
reads them (AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID ...). Every object carries its sha256,
which the store checks as it is written and gives back when asked.
"""

import base64
import binascii
from typing import Any

from reports.publishing.package import Package
from variants.errors import PromotionError

MISSING = ("404", "NoSuchKey", "NotFound")
METADATA = "sha256"
SINGLE_BYTES = 4 << 30  # S3 takes 5 GiB in one part


class S3Publisher:
    """Slots of `reports.publishing.package.Publisher`."""

    def __init__(self, address: str) -> None:
        """Take s3://BUCKET/PREFIX.

        Raises:
            PromotionError: boto3 is not installed, or the address names no bucket.
        """
        try:
            import boto3  # noqa: PLC0415  (an extra)
        except ImportError as error:
            raise PromotionError("publishing to S3 needs boto3: pip install boto3") from error
        self.bucket, _, prefix = address.removeprefix("s3://").partition("/")
        if not self.bucket:
            raise PromotionError(f"{address} names no bucket; give s3://BUCKET/PREFIX")
        self.prefix = prefix.strip("/")
        self._client: Any = boto3.client("s3")

    def put(self, package: Package) -> str:
        """Upload what the store does not hold with this sha256; SHA256SUMS is the last."""
        for name, digest in package.files.items():
            key = self._key(package.name, "versions", package.version, name)
            if self._sha256(key) != digest:
                self._upload(key, package, name)
                self._require(key, digest)
        return f"s3://{self.bucket}/{self._key(package.name, 'versions', package.version)}"

    def point(self, package: Package, alias: str) -> None:
        """Write the alias: one object, replaced at once."""
        key = self._key(package.name, "aliases", alias)
        self._call("put_object", Key=key, Body=f"{package.version}\n".encode())

    def current(self, name: str, alias: str) -> str | None:
        """Read the alias."""
        found = self._found("get_object", self._key(name, "aliases", alias))
        return None if found is None else str(found["Body"].read().decode().strip())

    def _upload(self, key: str, package: Package, name: str) -> None:
        path = package.path(name)
        if path.stat().st_size > SINGLE_BYTES:
            raise PromotionError(f"{name} is larger than S3 takes in one part; shard the weights")
        digest = base64.b64encode(binascii.unhexlify(package.files[name])).decode()
        with path.open("rb") as stream:
            self._call(
                "put_object", Key=key, Body=stream, ChecksumSHA256=digest,
                Metadata={METADATA: package.files[name]},
            )  # fmt: skip

    def _require(self, key: str, digest: str) -> None:
        if (seen := self._sha256(key)) != digest:
            raise PromotionError(f"s3://{self.bucket}/{key} holds {seen}, {digest} was written")

    def _sha256(self, key: str) -> str | None:
        """Return what the store says it holds; stores without checksums say what we noted."""
        found = self._found("head_object", key, ChecksumMode="ENABLED") or {}
        if told := found.get("ChecksumSHA256"):
            return base64.b64decode(told).hex()
        noted: str | None = found.get("Metadata", {}).get(METADATA)
        return noted

    def _found(self, call: str, key: str, **options: str) -> dict[str, Any] | None:
        from botocore.exceptions import ClientError  # noqa: PLC0415

        try:
            found: dict[str, Any] = getattr(self._client, call)(
                Bucket=self.bucket, Key=key, **options
            )
        except ClientError as error:
            if error.response["Error"]["Code"] in MISSING:
                return None
            raise PromotionError(f"s3://{self.bucket}/{key}: {error}") from error
        return found

    def _call(self, call: str, **options: object) -> None:
        from botocore.exceptions import BotoCoreError, ClientError  # noqa: PLC0415

        try:
            getattr(self._client, call)(Bucket=self.bucket, **options)
        except (ClientError, BotoCoreError) as error:
            raise PromotionError(f"s3://{self.bucket}/{options['Key']}: {error}") from error

    def _key(self, *parts: str) -> str:
        return "/".join(filter(None, (self.prefix, *parts)))
