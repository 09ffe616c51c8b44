"""An artifact's own tokenizer and chat template (adapter over transformers)."""

from functools import cache
from pathlib import Path

from evals.suites.item import Spanned
from variants.errors import MeasurementError


class ArtifactTokenizer:
    """Implements `evals.suites.item.Tokenizer`; never adds special tokens by itself."""

    def __init__(self, folder: Path) -> None:
        """Read the tokenizer that travels with the artifact."""
        from transformers import AutoTokenizer  # noqa: PLC0415  (seconds to load)

        self._tokenizer = AutoTokenizer.from_pretrained(folder)

    def encode(self, text: str) -> list[int]:
        """Return token ids, without special tokens beyond those spelled in the text."""
        return list(self._tokenizer.encode(text, add_special_tokens=False))

    def spans(self, text: str) -> list[Spanned]:
        """Return each token that `encode` returns with the characters it stands for.

        Raises:
            MeasurementError: the tokenizer cannot tell.
        """
        if not self._tokenizer.is_fast:
            raise MeasurementError(
                f"{type(self._tokenizer).__name__} does not say which characters a token stands "
                "for; give the base a tokenizer.json"
            )
        found = self._tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
        pairs = zip(found["input_ids"], found["offset_mapping"], strict=True)
        return [Spanned(token, start, end) for token, (start, end) in pairs]

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
