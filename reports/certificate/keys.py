"""The key that signs: one per home, made when first needed, or the one that is named.

`TOUCHSTONE_SIGNING_KEY` names a private key in PEM (PKCS 8, Ed25519, without a passphrase); else
`keys/certificate.pem` of the home is used, readable by its owner alone, with the public key beside
it. Adapter: cryptography.
"""

import hashlib
import os
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from variants.errors import CertificateError
from variants.kept.durable import lock, write_bytes

VARIABLE = "TOUCHSTONE_SIGNING_KEY"
PRIVATE, PUBLIC = "certificate.pem", "certificate.pub.pem"
OWNER_ALONE = 0o600


def key_id(key: Ed25519PublicKey) -> str:
    """Name a public key by the sha256 of its 32 bytes."""
    return hashlib.sha256(key.public_bytes(Encoding.Raw, PublicFormat.Raw)).hexdigest()


def signing_key(folder: Path) -> Ed25519PrivateKey:
    """Return the key that signs, made if this home has none.

    Raises:
        CertificateError: the key that is named cannot be read.
    """
    if named := os.environ.get(VARIABLE):
        return _private(Path(named), f"{VARIABLE} names")
    path = folder / PRIVATE
    with lock(folder / "certificate.lock"):
        if not path.exists():
            _make(folder)
    return _private(path, "the home holds")


def trusted_key(folder: Path, named: Path | None) -> Ed25519PublicKey:
    """Return the public key that is trusted: the one named, or the home's own.

    Raises:
        CertificateError: there is none, or it cannot be read.
    """
    path = named or folder / PUBLIC
    try:
        key = load_pem_public_key(path.read_bytes())
    except FileNotFoundError as error:
        raise CertificateError(
            f"there is no key {path} to check signatures with; name one with --key"
        ) from error
    except (OSError, ValueError) as error:
        raise CertificateError(f"{path} is no public key in PEM: {error}") from error
    if not isinstance(key, Ed25519PublicKey):
        raise CertificateError(f"{path} is no Ed25519 key")
    return key


def public_pem(key: Ed25519PublicKey) -> bytes:
    """Spell a public key as it is given to who is to check signatures."""
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def _private(path: Path, whose: str) -> Ed25519PrivateKey:
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except (OSError, ValueError, TypeError) as error:  # the content is never told
        raise CertificateError(
            f"{whose} the signing key {path}, which cannot be read ({type(error).__name__}); "
            "it has to be an Ed25519 key in PEM without a passphrase"
        ) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise CertificateError(f"{whose} the signing key {path}, which is no Ed25519 key")
    return key


def _make(folder: Path) -> None:
    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    write_bytes(folder / PUBLIC, public_pem(key.public_key()))
    write_bytes(folder / PRIVATE, private)  # mkstemp made it readable by its owner alone
    (folder / PRIVATE).chmod(OWNER_ALONE)
