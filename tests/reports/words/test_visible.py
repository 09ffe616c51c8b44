"""Characters that cannot be seen are shown by number; all others stay."""

import pytest

from reports.words.visible import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("int8\u200b", "int8⟨U+200B⟩"),
        ("a\u202eb\u2069", "a⟨U+202E⟩b⟨U+2069⟩"),
        ("\x1b[31mred", "⟨U+001B⟩[31mred"),
        ("\U000e0041", "⟨U+E0041⟩"),
        ("soft\u00adhyphen\ufeff", "soft⟨U+00AD⟩hyphen⟨U+FEFF⟩"),
    ],
)
def test_the_unseen_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize("text", ["a\tb\r\nc", "−23.7\u00a0%", "نموذج", "模型 é ⟨⟩", "🙂"])
def test_the_rest_stays(text: str) -> None:
    assert visible(text) == text
