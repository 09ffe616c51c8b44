"""One contract for every place: uploaded once, whole, and an alias that moves and moves back."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reports.certificate.issuing import issue
from reports.certificate.keys import VARIABLE
from reports.handoff.folder import SUMS, hand_off
from reports.publishing import package_of, publisher_of
from reports.publishing.__main__ import main
from tests.reports import past
from tests.reports.certificate.promoted import RUN, WEIGHTS, make
from tests.reports.publishing import servers
from variants.errors import PromotionError

Server = Callable[[Path, pytest.MonkeyPatch], AbstractContextManager[str]]
CHANNEL = str(past.CHANNEL)
NAME = CHANNEL.replace("@", ".")


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Two hand-off folders of one channel: certified at another time, so of another version."""
    monkeypatch.delenv(VARIABLE, raising=False)
    home = make(tmp_path / "home")
    made = []
    for year in (2026, 2027):
        issue(home, RUN, datetime(year, 1, 1, tzinfo=UTC))
        made.append(hand_off(home, RUN, tmp_path / f"of-{year}"))
    return made[0], made[1]


@pytest.mark.parametrize(
    "server",
    [
        servers.folder_place,
        servers.s3,
        servers.oci,
        pytest.param(servers.mlflow, marks=pytest.mark.long),
    ],
)
def test_published_once_and_moved_back(
    server: Server,
    folders: tuple[Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    first, second = (package_of(folder) for folder in folders)
    assert first.version != second.version
    with server(place, monkeypatch) as address:
        publisher = publisher_of(address)
        assert publisher.current(NAME, "champion") is None
        assert main([str(folders[0]), address, "--dry-run"]) == 0
        assert publisher.current(NAME, "champion") is None
        assert main([str(folders[0]), address]) == 0
        assert publisher.current(NAME, "champion") == first.version
        assert publisher.put(first) == publisher.put(first)
        assert main([str(folders[1]), address]) == 0
        assert publisher.current(NAME, "champion") == second.version
        assert main([str(folders[0]), address]) == 0  # back to the one before
        assert main(["--current", CHANNEL, address]) == 0
        assert capsys.readouterr().out.splitlines()[-1] == first.version
        assert publisher.current(NAME, "candidate") is None


def test_the_store_holds_the_bytes_that_were_qualified(
    folders: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    boto3 = pytest.importorskip("boto3")
    package = package_of(folders[0])
    with servers.s3(tmp_path, monkeypatch) as address:
        publisher_of(address).put(package)
        client = boto3.client("s3")
        prefix = f"team/{NAME}/versions/{package.version}"
        for name in package.files:
            stored = client.get_object(Bucket="models", Key=f"{prefix}/{name}")["Body"].read()
            assert stored == package.path(name).read_bytes()
        client.put_object(Bucket="models", Key=f"{prefix}/{SUMS}", Body=b"cut")
        publisher_of(address).put(package)  # what is not as it was is uploaded again
        stored = client.get_object(Bucket="models", Key=f"{prefix}/{SUMS}")["Body"].read()
        assert stored == package.path(SUMS).read_bytes()


def test_what_is_not_whole_is_not_published(
    folders: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address = (tmp_path / "shared").as_uri()
    (folders[0] / "model" / WEIGHTS).write_bytes(b"weighty")
    assert main([str(folders[0]), address]) == 1
    assert f"model/{WEIGHTS} is not the file that {SUMS} names" in capsys.readouterr().err
    assert not (tmp_path / "shared").exists()
    sums = folders[1] / SUMS
    sums.write_text(f"{'0' * 64}  ../../outside\n")
    with pytest.raises(PromotionError, match="lies outside"):
        package_of(folders[1])
    with pytest.raises(PromotionError, match="no hand-off folder"):
        package_of(tmp_path)


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("ftp://x", "nobody publishes to"),
        ("oci://host", "names no repository"),
        ("mlflow+http://127.0.0.1:9", "does not answer"),
        ("mlflow+http://ada:canary@127.0.0.1:9", "holds credentials"),
    ],
)
def test_a_place_that_is_none_is_told(
    address: str, told: str, folders: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(folders[0]), address]) == 1
    said = capsys.readouterr()
    assert told in said.err
    assert "canary" not in said.out + said.err


def test_a_folder_that_was_damaged_is_told(
    folders: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "a shared disk"
    assert main([str(folders[0]), place.as_uri()]) == 0
    version = place / NAME / "versions" / package_of(folders[0]).version
    (version / "model" / WEIGHTS).write_bytes(b"weighty")
    assert main([str(folders[0]), place.as_uri()]) == 1
    assert f"{WEIGHTS} is not what was published" in capsys.readouterr().err
