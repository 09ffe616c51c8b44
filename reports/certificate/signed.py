"""A statement under a signature: DSSE, Ed25519 (adapter: cryptography).

DSSE signs the payload's bytes together with their type, so no parser stands between what is signed
and what is read. It is twenty lines; sigstore's tools would bring a service that an offline check
cannot ask, and model-signing signs files and has no place for a predicate.

Example: pae("http://example.com/HelloWorld", b"hello world") is
b"DSSEv1 29 http://example.com/HelloWorld 11 hello world" (protocol.md of the source).

Source: github.com/secure-systems-lab/dsse, protocol.md and envelope.md.
"""

import base64
import binascii
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from pydantic import Field, ValidationError

from reports.certificate.keys import key_id
from reports.certificate.statement import Closed, Statement
from variants.command import in_one_line
from variants.errors import CertificateError

PAYLOAD_TYPE = "application/vnd.in-toto+json"
MOST_BYTES = 8 << 20  # a statement of 10,000 files takes 2 MB


class Signature(Closed):
    """One signature, and the key that made it."""

    keyid: str
    sig: str = Field(description="base64")


class Envelope(Closed):
    """The file: a payload and its signatures."""

    payload: str = Field(description="base64")
    payload_type: str = Field(alias="payloadType")
    signatures: tuple[Signature, ...] = Field(min_length=1, max_length=16)


def pae(payload_type: str, payload: bytes) -> bytes:
    """Return the bytes that are signed."""
    kind = payload_type.encode()
    return b" ".join((b"DSSEv1", b"%d" % len(kind), kind, b"%d" % len(payload), payload))


def sign(statement: Statement, key: Ed25519PrivateKey) -> str:
    """Return the file's text."""
    payload = statement.model_dump_json(by_alias=True).encode()
    signature = Signature(
        keyid=key_id(key.public_key()),
        sig=base64.b64encode(key.sign(pae(PAYLOAD_TYPE, payload))).decode(),
    )
    envelope = Envelope(
        payload=base64.b64encode(payload).decode(),
        payload_type=PAYLOAD_TYPE,
        signatures=(signature,),
    )
    return envelope.model_dump_json(by_alias=True, indent=1) + "\n"


def read_signed(path: Path, key: Ed25519PublicKey) -> Statement:
    """Return what a trusted key has signed, and nothing else.

    Raises:
        CertificateError: no such file, it is no certificate, another key signed it, or it was
            changed after it was signed.
    """
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise CertificateError(f"{path} has {size:,} bytes; a certificate has {MOST_BYTES:,}")
        envelope = Envelope.model_validate_json(path.read_bytes())
        payload = base64.b64decode(envelope.payload, validate=True)
    except FileNotFoundError as error:
        raise CertificateError(f"there is no certificate {path}") from error
    except (ValidationError, binascii.Error, UnicodeDecodeError) as error:
        raise CertificateError(f"{path} is no certificate: {in_one_line(error)[:300]}") from error
    _require_signature(path, envelope, payload, key)
    try:
        return Statement.model_validate_json(payload)
    except ValidationError as error:
        raise CertificateError(
            f"{path} states what this version does not understand ({in_one_line(error)[:300]}); "
            "read it with the version that wrote it"
        ) from error


def _require_signature(
    path: Path, envelope: Envelope, payload: bytes, key: Ed25519PublicKey
) -> None:
    own = [one for one in envelope.signatures if one.keyid == key_id(key)]
    if not own:
        others = ", ".join(one.keyid[:16] for one in envelope.signatures)
        raise CertificateError(
            f"{path} is signed by another key ({others}) than the trusted one "
            f"({key_id(key)[:16]}); name the key that you trust with --key"
        )
    try:
        key.verify(base64.b64decode(own[0].sig), pae(envelope.payload_type, payload))
    except (InvalidSignature, binascii.Error) as error:
        raise CertificateError(f"{path} was changed after it was signed") from error
    if envelope.payload_type != PAYLOAD_TYPE:
        raise CertificateError(f"{path} holds {envelope.payload_type!r}, no in-toto statement")
