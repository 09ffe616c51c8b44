"""Read what a user wrote as YAML: one mapping, in which no key is given twice."""

from pathlib import Path
from typing import Any

import yaml

from variants.errors import StudyError


def read_mapping(file: Path, kind: str) -> dict[str, object]:
    """Read the mapping that a file holds; `kind` says in an error what the file should be.

    Raises:
        StudyError: it is not YAML, gives a key twice, or holds something else than a mapping.
    """
    try:
        content = yaml.load(file.read_text(encoding="utf-8"), Loader=_UniqueKeyLoader)
    except OSError as error:
        raise StudyError(f"{kind} {file} cannot be read: {error.strerror}") from error
    except RecursionError as error:
        raise StudyError(f"{kind} {file} is nested too deeply; write it flatter") from error
    except (yaml.YAMLError, ValueError) as error:  # ValueError: a date or number that is none
        raise StudyError(f"{kind} {file} is not YAML: {error}") from error
    if not isinstance(content, dict):
        raise StudyError(f"{kind} {file} holds no mapping; start with `name:`")
    return content


class _UniqueKeyLoader(yaml.SafeLoader):
    """Refuses a key given twice, where YAML would silently keep the last.

    Looks at what was written, before merges (`<<`), whose keys may be overridden.
    """

    def compose_mapping_node(self, anchor: dict[Any, yaml.Node]) -> yaml.MappingNode:
        node = super().compose_mapping_node(anchor)
        keys = [(key.tag, str(key.value)) for key, _ in node.value]
        repeated = sorted({name for tag, name in keys if keys.count((tag, name)) > 1})
        if repeated:
            raise yaml.YAMLError(f"key given twice: {', '.join(repeated)}{node.start_mark}")
        return node
