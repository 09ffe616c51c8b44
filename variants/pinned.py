"""What a study says of bytes that others have made: their digest, and what they claim to be.

Example: `file:///models/theirs#sha256=DIGEST` is the folder, by its content.
"""

from variants.spec import Quantization

DIGEST_MARK = "#sha256="  # as a package index writes it


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


def claimed(scheme: str) -> Quantization | None:
    """Read a claim such as int8_w8a8 or int4_w4a16-g64; '' claims the base's own format.

    Raises:
        ValueError: the scheme is unknown.
    """
    if not scheme:
        return None
    name, _, group = scheme.partition("-g")
    return Quantization.model_validate({"scheme": name, "group_size": group or None})
