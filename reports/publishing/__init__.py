"""Publish what was promoted to where a team deploys from: a folder, S3, OCI, MLflow, the hub."""

from reports.publishing.package import Package, package_of
from reports.publishing.places import PLACES, publisher_of

__all__ = ["PLACES", "Package", "package_of", "publisher_of"]
