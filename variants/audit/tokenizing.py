"""Do two tokenizers give the same ids for the same text (adapter: tokenizers)?

Files that differ may mean the same, and files that look alike may not: one pattern of the
pre-tokenizer changes how numbers are cut, and every prompt with it
(research/pipelines.md section 3, class B: llm-compressor#2153).
"""

from pathlib import Path

from tokenizers import Tokenizer

from variants.audit.finding import AuditFinding, judge

# English, code with indents, numbers, accents, other scripts, emoji, white space, chat marks.
PROBE = (
    "The quick brown fox jumps over the lazy dog; isn't it 12,345.67 times?",
    "def add(a: int, b: int) -> int:\n    return a + b\n\n\tprint(f'{add(1, 2)}')\n",
    "naïve café Ünïcödé, Größe, œuvre: 3/4 ½ € 10⁻³",
    "今日は世界 привет мир مرحبا 안녕하세요 नमस्ते 👩‍🚀🎉",
    "  leading, trailing,   and\u00a0other spaces\r\n\n\n",
    "<|im_start|>user\nHi<|im_end|>\n<s>[INST] x [/INST]</s><|eot_id|><bos>",
)
FILE = "tokenizer.json"


def check_probe(folder: Path, base: Path) -> AuditFinding:
    """Tokenize a probe text with both; folders without a tokenizer.json are not looked at."""
    if not (folder / FILE).is_file() or not (base / FILE).is_file():
        return judge("probe ids", [], "no tokenizer.json in both: files are compared instead")
    try:
        ours, theirs = _ids(folder), _ids(base)
    except Exception as problem:  # the library raises nothing narrower
        return judge("probe ids", [f"tokenizer.json cannot be loaded: {problem}"], "")
    problems = [
        f"{text[:20]!r}… gives {len(mine)} ids, with the base's tokenizer {len(base_ids)}; the "
        f"first that differs is number {_first(mine, base_ids)}"
        for text, mine, base_ids in zip(PROBE, ours, theirs, strict=True)
        if mine != base_ids
    ]
    return judge("probe ids", problems, f"{sum(map(len, ours))} ids of the probe are the base's")


def _ids(folder: Path) -> list[list[int]]:
    tokenizer = Tokenizer.from_file(str(folder / FILE))
    return [list(tokenizer.encode(text).ids) for text in PROBE]


def _first(ours: list[int], theirs: list[int]) -> int:
    pairs = zip(ours, theirs, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(ours), len(theirs)))
