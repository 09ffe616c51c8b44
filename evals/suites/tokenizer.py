"""An artifact's own tokenizer and chat template (adapter over transformers)."""

from functools import cache
from pathlib import Path

from transformers import AutoTokenizer


class ArtifactTokenizer:
    """Implements `evals.suites.item.Tokenizer`; never adds special tokens by itself."""

    def __init__(self, folder: Path) -> None:
        """Read the tokenizer that travels with the artifact."""
        self._tokenizer = AutoTokenizer.from_pretrained(folder)

    def encode(self, text: str) -> list[int]:
        """Return token ids, without special tokens beyond those spelled in the text."""
        return list(self._tokenizer.encode(text, add_special_tokens=False))

    def decode(self, tokens: list[int]) -> str:
        """Return the text of token ids, unchanged (no clean-up of spaces)."""
        return str(self._tokenizer.decode(tokens, clean_up_tokenization_spaces=False))

    def render_chat(self, messages: list[dict[str, str]]) -> str:
        """Apply the chat template, ready for the assistant's answer."""
        return str(
            self._tokenizer.apply_chat_template(
                messages, tokenize=False, add_generation_prompt=True
            )
        )


@cache
def tokenizer_of(folder: Path) -> ArtifactTokenizer:
    """Read each artifact's tokenizer once per process."""
    return ArtifactTokenizer(folder)
