"""The files beside the weights that change what a model says: equal to the base's, or not promoted.

Tokenizer, chat template, generation settings, special tokens and the shape in config.json. JSON is
compared by meaning: a builder may write the same settings in another order.
"""

import json
from pathlib import Path

from variants.audit.finding import AuditFinding, judge
from variants.audit.tensors import read_json
from variants.errors import BuildError
from variants.fingerprint import fingerprint, sha256_file

# Names what wrote the file, not what it does.
PROVENANCE = frozenset({"transformers_version", "_from_model_config", "_name_or_path"})
CONFIG_CHANGES = PROVENANCE | {"quantization_config", "_model_name_or_path", "torch_dtype", "dtype"}
TOKENIZER = "tokenizer.json"
TOKENIZER_FILES = ("tokenizer.model", "spiece.model", "vocab.json", "merges.txt", "vocab.txt")
SPECIAL_TOKENS = (
    *("bos_token", "eos_token", "pad_token", "unk_token"),
    *("bos_token_id", "eos_token_id", "pad_token_id", "unk_token_id"),
    *("add_bos_token", "add_eos_token", "add_prefix_space", "tokenizer_class"),
    *("additional_special_tokens", "extra_special_tokens"),
)


def check_companions(folder: Path, base: Path) -> tuple[AuditFinding, ...]:
    """Compare every companion with the base's."""
    return (
        _compare_json("config", folder, base, "config.json", CONFIG_CHANGES),
        check_tokenizer(folder, base),
        _compare_json("generation config", folder, base, "generation_config.json", PROVENANCE),
        check_template(folder, base),
        check_special_tokens(folder, base),
    )


def check_tokenizer(folder: Path, base: Path) -> AuditFinding:
    """Compare tokenizer.json by meaning; where the base has none, its other files by bytes."""
    if (base / TOKENIZER).exists() or (folder / TOKENIZER).exists():
        return _compare_json("tokenizer", folder, base, TOKENIZER, frozenset())
    names = [name for name in TOKENIZER_FILES if (base / name).is_file()]
    if not names:
        return judge("tokenizer", ["the base has no tokenizer; give the folder that holds it"], "")
    problems = [
        f"{name} is missing or not the base's; copy it"
        for name in names
        if not (folder / name).is_file() or sha256_file(folder / name) != sha256_file(base / name)
    ]
    return judge("tokenizer", problems, f"{', '.join(names)} as the base's")


def check_template(folder: Path, base: Path) -> AuditFinding:
    """Compare the chat template, wherever it is kept, and further ones: one may be for tools."""
    ours, theirs = read_templates(folder), read_templates(base)
    names = sorted(ours.keys() | theirs.keys())
    problems = [
        _template_problem(name, ours.get(name), theirs.get(name))
        for name in names
        if ours.get(name) != theirs.get(name)
    ]
    return judge("chat template", problems, "equal to the base's" if theirs else "neither has one")


def _template_problem(name: str, ours: str | None, theirs: str | None) -> str:
    if ours is None or theirs is None:
        holder = "the base" if ours is None else "the artifact"
        return f"only {holder} has a chat template{name and f' {name}'}; copy the base's file"
    pairs = zip(ours, theirs, strict=False)
    same = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(ours), len(theirs)))
    return (
        f"differs{name and f' ({name})'} from character {same}: {ours[same : same + 40]!r}, "
        f"in the base {theirs[same : same + 40]!r}; copy the base's file"
    )


def read_templates(folder: Path) -> dict[str, str]:
    """Return name -> chat template, as transformers loads them; '' is the one for every chat."""
    main = read_template(folder)
    further = sorted((folder / "additional_chat_templates").glob("*.jinja"))
    named = {path.stem: path.read_text(encoding="utf-8") for path in further}
    return named if main is None else {"": main, **named}


def read_template(folder: Path) -> str | None:
    """Return the chat template: chat_template.jinja, else the one in tokenizer_config.json."""
    path = folder / "chat_template.jinja"
    if path.is_file():
        return path.read_text(encoding="utf-8")
    template = read_optional(folder / "tokenizer_config.json").get("chat_template")
    return (
        None
        if template is None
        else json.dumps(template)
        if not isinstance(template, str)
        else template
    )


def check_special_tokens(folder: Path, base: Path) -> AuditFinding:
    """Compare the special tokens of tokenizer_config.json and special_tokens_map.json."""
    problems: list[str] = []
    for name in ("tokenizer_config.json", "special_tokens_map.json"):
        ours, theirs = _special_tokens(folder / name), _special_tokens(base / name)
        problems += [
            f"{name}: {key} is {ours[key]!r}, in the base {theirs[key]!r}"
            for key in SPECIAL_TOKENS
            if ours[key] != theirs[key]
        ]
    return judge("special tokens", problems, "equal to the base's")


def _special_tokens(path: Path) -> dict[str, object]:
    settings = read_optional(path)
    return {key: _content(settings.get(key)) for key in SPECIAL_TOKENS}


def companion_digests(folder: Path) -> dict[str, str]:
    """Digest, by meaning, what decides how a prompt becomes tokens and an answer ends."""
    found: dict[str, object] = {
        "tokenizer": read_optional(folder / "tokenizer.json"),
        "chat template": read_templates(folder),
        "special tokens": _special_tokens(folder / "tokenizer_config.json"),
        "generation config": {
            key: value
            for key, value in read_optional(folder / "generation_config.json").items()
            if key not in PROVENANCE
        },
    }
    return {name: fingerprint(value) for name, value in found.items()}


def _content(token: object) -> object:
    """Reduce a token written as an object to its text."""
    if isinstance(token, dict) and "content" in token:
        return token["content"]
    return [_content(item) for item in token] if isinstance(token, list) else token


def read_optional(path: Path) -> dict[str, object]:
    """Read a JSON object; an empty one where there is no file."""
    return read_json(path) if path.exists() else {}


def _compare_json(
    name: str, folder: Path, base: Path, file: str, without: frozenset[str]
) -> AuditFinding:
    if (folder / file).exists() != (base / file).exists():
        holder = "the artifact" if (folder / file).exists() else "the base"
        return judge(name, [f"only {holder} has {file}; copy or remove it"], "")
    try:
        ours, theirs = read_optional(folder / file), read_optional(base / file)
    except BuildError as problem:
        return judge(name, [str(problem)], "")
    keys = sorted((ours.keys() | theirs.keys()) - without)
    problems = [
        _difference(file, key, ours, theirs) for key in keys if ours.get(key) != theirs.get(key)
    ]
    return judge(name, problems, f"{file} means the same as the base's")


def _difference(file: str, key: str, ours: dict[str, object], theirs: dict[str, object]) -> str:
    shown = [repr(side.get(key)) for side in (ours, theirs)]
    mine, base = (text if len(text) < 80 else f"{text[:77]}…" for text in shown)
    return f"{file}: {key} is {mine}, in the base {base}"
