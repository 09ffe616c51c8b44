import json
import threading
from pathlib import Path

import pytest
from pydantic import ValidationError

from variants.errors import PromotionError
from variants.kept.manifest import Metadata
from variants.kept.registry import Channel, Entry, Key, Registry
from variants.kept.store import Store

KEY = Key(base="smollm2-135m", target="cpu", service_class="interactive")


def entry(variant: str, artifact: str = "a" * 16, run: str = "run-1") -> Entry:
    return Entry(
        variant=variant,
        artifact=artifact,
        manifest_sha256="1" * 64,
        serving_fingerprint="5" * 16,
        decision_sha256="2" * 64,
        policy_sha256="3" * 64,
        run=run,
        at="2026-11-29T17:00:00+00:00",
    )


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    return Registry(tmp_path / "channels")


def path(registry: Registry) -> Path:
    return registry.root / "smollm2-135m@cpu@interactive.json"


def test_nothing_was_ever_promoted(registry: Registry) -> None:
    assert registry.read(KEY) is None


def test_the_old_champion_becomes_the_previous(registry: Registry) -> None:
    bf16, int8, int4 = entry("bf16", "a" * 16), entry("int8", "b" * 16), entry("int4", "c" * 16)
    for one in (bf16, int8, int4):
        registry.move(KEY, one)
    assert registry.read(KEY) == Channel(champion=int4, previous=int8)


def test_a_confirmed_champion_keeps_its_predecessor(registry: Registry) -> None:
    bf16, int8 = entry("bf16", "a" * 16), entry("int8", "b" * 16)
    confirmed = entry("int8", "b" * 16, run="run-2")
    for one in (bf16, int8, confirmed):
        registry.move(KEY, one)
    assert registry.read(KEY) == Channel(champion=confirmed, previous=bf16)


def test_channels_do_not_touch_each_other(registry: Registry) -> None:
    other = KEY.model_copy(update={"service_class": "batch"})
    registry.move(KEY, entry("int8"))
    assert registry.read(other) is None


def test_undo_restores_the_exact_bytes(registry: Registry) -> None:
    registry.move(KEY, entry("bf16", "a" * 16))
    before = path(registry).read_bytes()
    change = registry.move(KEY, entry("int8", "b" * 16))
    assert path(registry).read_bytes() != before
    registry.undo(change)
    assert path(registry).read_bytes() == before


def test_undo_of_the_first_move_leaves_no_channel(registry: Registry) -> None:
    registry.undo(registry.move(KEY, entry("int8")))
    assert not path(registry).exists()
    assert registry.read(KEY) is None


def test_undo_is_refused_when_the_channel_moved_since(registry: Registry) -> None:
    change = registry.move(KEY, entry("int8", "b" * 16))
    registry.move(KEY, entry("int4", "c" * 16))
    with pytest.raises(PromotionError, match="moved again since"):
        registry.undo(change)
    channel = registry.read(KEY)
    assert channel is not None
    assert channel.champion.variant == "int4"


def test_history_only_grows(registry: Registry) -> None:
    change = registry.move(KEY, entry("int8"))
    registry.undo(change)
    text = path(registry).with_suffix("").with_name(f"{KEY}.history.jsonl").read_text()
    assert [json.loads(line)["action"] for line in text.splitlines()] == ["move", "undo"]


@pytest.mark.parametrize("content", ["", "{", "[]", '{"channel":{}}'])
def test_a_broken_channel_is_named_and_left(registry: Registry, content: str) -> None:
    registry.move(KEY, entry("int8"))
    path(registry).write_text(content, encoding="utf-8")
    with pytest.raises(PromotionError, match="cannot be read"):
        registry.read(KEY)
    with pytest.raises(PromotionError, match="cannot be read"):
        registry.move(KEY, entry("int4"))
    assert path(registry).read_text(encoding="utf-8") == content


def test_a_channel_that_was_changed_by_hand_is_refused(registry: Registry) -> None:
    registry.move(KEY, entry("int8"))
    text = path(registry).read_text(encoding="utf-8")
    path(registry).write_text(text.replace('"int8"', '"int4"'), encoding="utf-8")
    with pytest.raises(PromotionError, match="changed by hand"):
        registry.read(KEY)


@pytest.mark.parametrize("base", ["", "../up", "a/b", "a@b", ".hidden", "wheel://x"])
def test_keys_cannot_leave_the_folder(base: str) -> None:
    with pytest.raises(ValidationError):
        Key(base=base, target="cpu", service_class="batch")


def test_moves_at_once_lose_none(registry: Registry) -> None:
    entries = [entry(f"v{number}", f"{number:016x}") for number in range(8)]
    threads = [threading.Thread(target=registry.move, args=(KEY, one)) for one in entries]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    history = (registry.root / f"{KEY}.history.jsonl").read_text().splitlines()
    moved = [json.loads(line)["entry"]["variant"] for line in history]
    channel = registry.read(KEY)
    assert channel is not None
    assert channel.previous is not None
    assert sorted(moved) == sorted(one.variant for one in entries)
    assert [channel.previous.variant, channel.champion.variant] == moved[-2:]


def test_the_champion_verifies_against_the_store(registry: Registry, tmp_path: Path) -> None:
    def make(folder: Path) -> Metadata:
        (folder / "config.json").write_text("{}", encoding="utf-8")
        return {}

    store = Store(tmp_path / "store")
    with pytest.raises(PromotionError, match="has no champion"):
        registry.verify(KEY, store)
    manifest = store.build("a" * 16, make)
    promoted = entry("int8").model_copy(update={"manifest_sha256": manifest.sha256})
    registry.move(KEY, promoted)
    assert registry.verify(KEY, store) == manifest
    (store.folder("a" * 16) / "config.json").write_text("[]", encoding="utf-8")
    with pytest.raises(PromotionError, match="is missing or broken"):
        registry.verify(KEY, store)


def test_a_move_that_was_never_confirmed_is_undone(tmp_path: Path) -> None:
    registry = Registry(tmp_path)
    registry.move(KEY, entry("first"))
    registry.confirm(KEY)
    before = registry.read(KEY)
    registry.move(KEY, entry("second"))
    assert registry.unconfirmed() == [KEY]
    assert registry.recover(KEY)
    assert registry.read(KEY) == before
    assert registry.unconfirmed() == []
    assert not registry.recover(KEY)
