"""The places there are: the beginning of an address -> who publishes there."""

from collections.abc import Callable
from urllib.parse import urlsplit

from reports.publishing.folder import FolderPublisher
from reports.publishing.hub import HubPublisher
from reports.publishing.mlflow import MlflowPublisher
from reports.publishing.oci import OciPublisher
from reports.publishing.package import Publisher
from reports.publishing.s3 import S3Publisher
from variants.errors import PromotionError

PLACES: dict[str, Callable[[str], Publisher]] = {
    "file://": FolderPublisher,
    "s3://": S3Publisher,
    "oci://": OciPublisher,
    "oci+http://": OciPublisher,
    "mlflow+http://": MlflowPublisher,
    "mlflow+https://": MlflowPublisher,
    "hf://": HubPublisher,
}


def publisher_of(address: str) -> Publisher:
    """Return who publishes to an address.

    Raises:
        PromotionError: nobody does, or it holds credentials, which belong in the environment.
    """
    if "@" in urlsplit(address).netloc:  # not repeated: it is shown, and kept in histories
        raise PromotionError(
            "the address holds credentials; give them by the environment, see reports/publishing"
        )
    for beginning, make in PLACES.items():
        if address.startswith(beginning):
            return make(address)
    raise PromotionError(f"nobody publishes to {address!r}; an address begins with {list(PLACES)}")
