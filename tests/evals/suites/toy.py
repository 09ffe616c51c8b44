"""A tokenizer that takes words as tokens, and items of the leaderboard's shape."""

import json
import re
from pathlib import Path

from evals.suites.bfcl import CATEGORIES, WHEEL

Objects = list[dict[str, object]]
Line = tuple[str, str, Objects, Objects]  # id, question, functions, truth


class WordTokenizer:
    """Implements `evals.suites.item.Tokenizer`: a token is a word with the space before it."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._words: list[str] = []

    def encode(self, text: str) -> list[int]:
        return [self._id(word) for word in re.findall(r"\s?[^\s(),=]+|\s|[(),=]", text)]

    def decode(self, tokens: list[int]) -> str:
        return "".join(self._words[token] for token in tokens)

    def render_chat(self, messages: list[dict[str, str]]) -> str:
        return "".join(f"<{one['role']}> {one['content']}\n" for one in messages) + "<assistant>"

    def _id(self, word: str) -> int:
        if word not in self._ids:
            self._ids[word] = len(self._words)
            self._words.append(word)
        return self._ids[word]


class CharacterTokenizer:
    """Implements `evals.suites.item.Tokenizer`: a token is a character."""

    def encode(self, text: str) -> list[int]:
        return [ord(character) for character in text]

    def decode(self, tokens: list[int]) -> str:
        return "".join(map(chr, tokens))

    def render_chat(self, messages: list[dict[str, str]]) -> str:
        return "".join(one["content"] for one in messages)


def function(name: str, required: list[str], **parameters: object) -> dict[str, object]:
    """Describe a function as the leaderboard does."""
    schema = {"type": "dict", "properties": parameters, "required": required}
    return {"name": name, "description": f"{name} of a shape. And more.", "parameters": schema}


INTEGER: dict[str, object] = {"type": "integer"}
UNIT: dict[str, object] = {"type": "string", "enum": ["cm", "inch", "metre"]}
AREA = function("area", ["base", "height"], base=INTEGER, height=INTEGER, unit=UNIT)
PERIMETER = function("perimeter", ["base", "height"], base=INTEGER, height=INTEGER)


def write_leaderboard(folder: Path, rows: list[Line]) -> dict[str, str]:
    """Write rows (id, question, functions, truth) as `simple_python`; the rest stays empty."""
    files = {}
    for category in CATEGORIES:
        chosen = rows if category == "simple_python" else []
        questions = [
            {"id": row, "question": [[{"role": "user", "content": text}]], "function": functions}
            for row, text, functions, _ in chosen
        ]
        answers = [{"id": row, "ground_truth": truth} for row, _, _, truth in chosen]
        for member, lines in ((f"BFCL_v4_{category}.json", questions),
                              (f"possible_answer/BFCL_v4_{category}.json", answers)):  # fmt: skip
            path = folder / member
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
            files[f"{WHEEL}/bfcl_eval/data/{member}"] = str(path)
    return files
