"""Where adapters may come from, and archives that are opened with care."""

import stat
import warnings
import zipfile
from pathlib import Path

import pytest

from tests.variants.adapters.hand import adapter
from variants.adapters.archive import unpack
from variants.adapters.origin import fetch_adapter, require_admitted
from variants.errors import RecipeError, SourceError
from variants.kept.contents import digest_content
from variants.specs.spec import Adapter


def spec(path: Path, digest: str | None = None) -> Adapter:
    return Adapter(name="poet", source=f"file://{path}", sha256=digest or digest_content(path))


@pytest.mark.parametrize(
    ("source", "lists", "is_admitted"),
    [
        ("hf://acme/poet@main", [()], True),
        ("hf://acme/poet@main", [("hf://acme/",)], True),
        ("hf://acme/poet@main", [("hf://acme",)], True),
        ("hf://acme/poet@main", [("hf://acme/poet",)], True),
        ("hf://acme-evil/poet@main", [("hf://acme",)], False),
        ("hf://acme/poet@main", [("hf://acme/",), ("file:///srv/",)], False),
        ("hf://acme/poet@main", [("file:///srv/", "hf://acme/")], True),
        ("file:///srv/../etc/x", [("file:///srv/",)], False),
        ("file:///srv/../etc/x", [()], False),
        ("file:///srv/%2e%2e/x", [("file:///srv/",)], False),
        ("file:///srv/x", [("file:///srv/x",)], True),
        ("file:///srv/xy", [("file:///srv/x",)], False),
    ],
)
def test_every_list_that_is_given_must_admit_a_source(
    source: str, lists: list[tuple[str, ...]], is_admitted: bool
) -> None:
    if is_admitted:
        require_admitted(source, *lists)
        return
    with pytest.raises(RecipeError, match=r"admitted|upwards"):
        require_admitted(source, *lists)


def test_a_folder_stays_where_it_is_and_must_be_the_one_named(tmp_path: Path) -> None:
    folder = adapter(tmp_path / "a")
    assert fetch_adapter(spec(folder), tmp_path / "cache").path == folder
    with pytest.raises(SourceError, match=digest_content(folder)):
        fetch_adapter(spec(folder, "0" * 64), tmp_path / "cache")


def test_a_hostile_folder_is_refused_before_it_is_digested(tmp_path: Path) -> None:
    folder = adapter(tmp_path / "a")
    (folder / "adapter_model.bin").write_bytes(b"\x80\x04.")
    with pytest.raises(RecipeError, match="can run code"):
        fetch_adapter(spec(folder, "0" * 64), tmp_path / "cache")


def test_what_is_not_there_or_no_address_is_told(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"neither a folder nor a \.zip"):
        fetch_adapter(spec(tmp_path / "gone", "0" * 64), tmp_path)
    wrong = Adapter(name="poet", source="ftp://x/y", sha256="0" * 64)
    with pytest.raises(SourceError, match="neither file:///PATH nor hf://"):
        fetch_adapter(wrong, tmp_path)


def zipped(tmp_path: Path, folder: Path, prefix: str = "") -> Path:
    path = tmp_path / "adapter.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in folder.iterdir():
            archive.write(file, f"{prefix}{file.name}")
    return path


@pytest.mark.parametrize("prefix", ["", "poet-1.0/"])
def test_a_zip_is_unpacked_once_and_named_by_its_own_digest(tmp_path: Path, prefix: str) -> None:
    folder = adapter(tmp_path / "a")
    archive = zipped(tmp_path, folder, prefix)
    first = fetch_adapter(spec(archive), tmp_path / "cache")
    assert digest_content(first.path) == digest_content(folder)
    assert fetch_adapter(spec(archive), tmp_path / "cache") == first
    with pytest.raises(SourceError, match="look at what changed"):
        fetch_adapter(spec(archive, "0" * 64), tmp_path / "cache")


@pytest.mark.parametrize(
    "name", ["../evil", "/etc/evil", "a/../../evil", "..\\evil", "C:/evil", "a\\..\\evil"]
)
def test_a_member_that_leads_out_is_refused_and_nothing_is_written(
    tmp_path: Path, name: str
) -> None:
    path = tmp_path / "evil.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("adapter_config.json", "{}")
        member = zipfile.ZipInfo("x")
        member.filename = name  # the constructor would tidy it
        archive.writestr(member, "evil")
    with pytest.raises(RecipeError, match="leads out of the folder"):
        unpack(path, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_link_in_a_zip_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "evil.zip"
    with zipfile.ZipFile(path, "w") as archive:
        member = zipfile.ZipInfo("LICENSE")
        member.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(member, "/etc/passwd")
    with pytest.raises(RecipeError, match="is a link"):
        unpack(path, tmp_path / "out")


def test_a_zip_bomb_is_refused_by_its_directory(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("adapter_model.safetensors", bytes(10 << 20))
    with pytest.raises(RecipeError, match="zip bomb"):
        unpack(path, tmp_path / "out")


def test_a_directory_that_lies_about_a_length_is_found_out(tmp_path: Path) -> None:
    path = tmp_path / "liar.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("adapter_config.json", bytes(4 << 20))
    told, short = (4 << 20).to_bytes(4, "little"), (1000).to_bytes(4, "little")
    path.write_bytes(path.read_bytes().replace(told, short))
    with pytest.raises(RecipeError, match=r"cannot be unpacked|unpacks to more"):
        unpack(path, tmp_path / "out")
    written = tmp_path / "out" / "adapter_config.json"
    assert not written.exists() or written.stat().st_size <= 1000


def test_too_many_members_and_no_zip_at_all_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "many.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(70):
            archive.writestr(f"{number}", "")
    with pytest.raises(RecipeError, match="70 files"):
        unpack(path, tmp_path / "out")
    path.write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(RecipeError, match="cannot be unpacked"):
        unpack(path, tmp_path / "out")


@pytest.mark.parametrize("names", [("a", "a"), ("a", "a/b"), ("x" * 5000,), ("",)])
def test_names_that_cannot_lie_side_by_side_are_refused(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    path = tmp_path / "odd.zip"
    with zipfile.ZipFile(path, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a name that is there twice
        for name in names:
            archive.writestr(zipfile.ZipInfo(name), "x")
    with pytest.raises(RecipeError):
        unpack(path, tmp_path / "out")


def test_broken_bytes_are_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path, adapter(tmp_path / "a"))
    whole = bytearray(path.read_bytes())
    whole[60:90] = bytes(30)
    path.write_bytes(whole)
    with pytest.raises(RecipeError, match="cannot be unpacked"):
        unpack(path, tmp_path / "out")


def test_a_refused_zip_leaves_nothing_in_the_cache(tmp_path: Path) -> None:
    path = tmp_path / "adapter.zip"
    path.write_bytes(b"nothing")
    with pytest.raises(RecipeError):
        fetch_adapter(spec(path), tmp_path / "cache")
    left = [one for one in (tmp_path / "cache" / "adapters").iterdir() if one.suffix != ".lock"]
    assert left == []
