"""An address with the digest of what it leads to: SOURCE#sha256=DIGEST, as package indexes have it.

Example: `file:///models/draft#sha256=0…0` is the folder and the digest of its content.
"""

from variants.specs.spec import Base

DIGEST_MARK = "#sha256="


def split_pin(source: str) -> tuple[str, str]:
    """Split an address from what is pinned behind it.

    Raises:
        ValueError: nothing is.
    """
    address, _, pin = source.partition(DIGEST_MARK)
    if not pin:
        raise ValueError(
            f"source {source!r} must end with {DIGEST_MARK}DIGEST of its content; give 64 zeros, "
            "and the refusal names the right one"
        )
    return address, pin


def addressed(source: str) -> Base:
    """Read an address and its digest.

    Raises:
        ValueError: it names no digest.
    """
    address, sha256 = split_pin(source)
    return Base(source=address, sha256=sha256)
