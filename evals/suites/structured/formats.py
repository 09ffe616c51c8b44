"""The formats of JSON Schema that are checked here, each a function of a string.

jsonschema knows `date-time`, `time`, `uri` and `hostname` only where further packages are
installed, and passes every string where they are not; its `email` asks for an `@` alone. A check
that depends on what else is installed is none, so these are our own.

Sources: RFC 3339 (date, time, date-time; a leap second is not taken), RFC 1123 (hostname), RFC 5321
(email; no quoted local part), RFC 9562 (uuid), RFC 3986 (uri: a scheme, then allowed characters).

Example: `2024-02-29` is a date, `2023-02-29` is none, for that year had 28 days of February.
"""

import re
from collections.abc import Callable
from datetime import date
from ipaddress import IPv4Address, IPv6Address

DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_CLOCK = r"([01][0-9]|2[0-3]):[0-5][0-9]"
TIME = re.compile(rf"{_CLOCK}:[0-5][0-9](\.[0-9]+)?([Zz]|[+-]{_CLOCK})")
LABEL = re.compile(r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?")
LOCAL_PART = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}")
UUID = re.compile(r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:([A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*")
MAX_HOSTNAME = 253


def is_date(text: str) -> bool:
    """Tell whether a text is a day of the calendar, as `2024-02-29`."""
    return bool(DATE.fullmatch(text)) and _is_read_by(date.fromisoformat, text)


def is_time(text: str) -> bool:
    """Tell whether a text is a time with its offset, as `08:30:00Z`."""
    return bool(TIME.fullmatch(text))


def is_date_time(text: str) -> bool:
    """Tell whether a text is a day, a T and a time with its offset."""
    return is_date(text[:10]) and text[10:11] in ("T", "t") and is_time(text[11:])


def is_hostname(text: str) -> bool:
    """Tell whether a text is labels with dots between them."""
    return len(text) <= MAX_HOSTNAME and all(map(LABEL.fullmatch, text.split(".")))


def is_email(text: str) -> bool:
    """Tell whether a text is a local part, an @ and a host's name."""
    local, _, domain = text.rpartition("@")
    return bool(LOCAL_PART.fullmatch(local)) and is_hostname(domain)


def is_ipv4(text: str) -> bool:
    """Tell whether a text is four numbers up to 255."""
    return _is_read_by(IPv4Address, text)


def is_ipv6(text: str) -> bool:
    """Tell whether a text is an IPv6 address without a zone."""
    return "%" not in text and _is_read_by(IPv6Address, text)


def is_uuid(text: str) -> bool:
    """Tell whether a text is 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12."""
    return bool(UUID.fullmatch(text))


def is_uri(text: str) -> bool:
    """Tell whether a text is a scheme, a colon and characters that may follow."""
    return bool(URI.fullmatch(text))


def _is_read_by(reader: Callable[[str], object], text: str) -> bool:
    try:
        reader(text)
    except ValueError:
        return False
    return True


FORMATS: dict[str, Callable[[str], bool]] = {
    "date": is_date,
    "time": is_time,
    "date-time": is_date_time,
    "hostname": is_hostname,
    "email": is_email,
    "ipv4": is_ipv4,
    "ipv6": is_ipv6,
    "uuid": is_uuid,
    "uri": is_uri,
}
