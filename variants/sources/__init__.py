"""Where a base model comes from: an address -> a local file or folder with its digest."""

from variants.sources.schemes import SCHEMES, fetch
from variants.sources.source import Source

__all__ = ["SCHEMES", "Source", "fetch"]
