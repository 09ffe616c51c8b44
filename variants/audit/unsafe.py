"""Files of an artifact that can run code, or that are not the artifact's own.

Pickles run what is inside when they are loaded, whatever their name says; `auto_map` and
`trust_remote_code` name Python files, here or in another repository, that transformers would run; a
link may lead to any file of this machine.

Source: huggingface.co/docs/hub/security-pickle; transformers, dynamic_module_utils.py.
"""

from collections.abc import Iterator
from pathlib import Path

from variants.audit.finding import AuditFinding, judge
from variants.audit.tensors import read_json
from variants.errors import BuildError
from variants.kept.contents import WEIGHTS_SUFFIX, list_files, stray_links, unsafe_files

CODE_KEYS = ("auto_map", "trust_remote_code", "custom_pipelines")
# Beginnings of files: a zip (torch.save), and a pickle of protocols 2 to 5.
MAGIC = (b"PK\x03\x04", b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")
PLAIN_SUFFIXES = frozenset({WEIGHTS_SUFFIX, ".json", ".jinja", ".md", ".txt", ".yaml", ".model"})


def check_unsafe(folder: Path) -> AuditFinding:
    """Refuse files whose loading can run code, settings that ask for it, and links elsewhere."""
    problems = [f"{name} can run code when loaded" for name in unsafe_files(folder)]
    problems += [
        f"{name} is a link that leads nowhere or elsewhere" for name in stray_links(folder)
    ]
    problems += _disguised(folder)
    problems += _asking_for_code(folder)
    return judge("unsafe files", problems, "no pickle, no code, no stray link")


def _disguised(folder: Path) -> Iterator[str]:
    """Look at the beginning of what is no known kind of plain file."""
    for path in list_files(folder):
        if path.suffix.lower() in PLAIN_SUFFIXES:
            continue
        name = path.relative_to(folder).as_posix()
        try:
            with path.open("rb") as stream:
                beginning = stream.read(4)
        except OSError as problem:
            yield f"{name} cannot be read ({problem})"
            continue
        if beginning.startswith(MAGIC):
            yield f"{name} begins as a pickle or an archive"


def _asking_for_code(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("*config*.json")):
        try:
            settings = read_json(path)
        except BuildError:
            continue  # the structure's or the companions' finding
        yield from (
            f"{path.name} asks for code of its own ({key}: {str(settings[key])[:60]})"
            for key in CODE_KEYS
            if settings.get(key)
        )
