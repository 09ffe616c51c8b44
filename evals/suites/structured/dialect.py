r"""JSON Schema as we write it, and as the validator must read it.

A validator ignores a keyword or a format that it does not know, so a slip of the pen would bind
nobody; both are refused here. Patterns are ECMA-262 (JSON Schema Core 2020-12, section 6.4), where
`$` is the very end and `\d` ten digits; Python's `$` also stands before a last line break, and its
`\d` takes the digits of every script.

Example: `^[a-z]+$` becomes `(?a:^[a-z]+\Z)`, which the text "ab\n" does not match.
"""

import re
from typing import Any

from evals.suites.structured.formats import FORMATS
from variants.errors import StudyError

Schema = dict[str, Any]  # its shape is the standard's, not ours

OF_NAMES = frozenset({"properties", "patternProperties", "dependentSchemas", "$defs"})
OF_LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
OF_ONE = frozenset({
    "items", "contains", "additionalProperties", "propertyNames", "not", "if", "then", "else",
    "unevaluatedProperties", "unevaluatedItems",
})  # fmt: skip
OF_VALUES = frozenset({
    "type", "enum", "const", "pattern", "format", "minLength", "maxLength", "minimum", "maximum",
    "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems",
    "minContains", "maxContains", "required", "minProperties", "maxProperties",
    "dependentRequired", "$ref", "$anchor",
})  # fmt: skip
NOTES = frozenset({"$schema", "title", "description", "default", "examples"})
KEYWORDS = OF_NAMES | OF_LISTS | OF_ONE | OF_VALUES | NOTES
END = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|\$", re.DOTALL)


def readable(schema: Schema | bool) -> Schema | bool:
    """Return the schema with Python's patterns.

    Raises:
        StudyError: it holds a keyword or a format that nobody would check.
    """
    if isinstance(schema, bool):
        return schema
    unknown = sorted(set(schema) - KEYWORDS)
    if unknown:
        raise StudyError(
            f"schema keyword {unknown[0]!r} is not known, so nobody would check it; "
            f"known are {', '.join(sorted(KEYWORDS))}"
        )
    return {keyword: _readable_value(keyword, value) for keyword, value in schema.items()}


def _readable_value(keyword: str, value: Any) -> Any:
    if keyword in OF_NAMES:
        spelled = python_pattern if keyword == "patternProperties" else str
        return {spelled(name): readable(inner) for name, inner in value.items()}
    if keyword in OF_LISTS:
        return [readable(inner) for inner in value]
    if keyword in OF_ONE:
        return readable(value)
    if keyword == "pattern":
        return python_pattern(value)
    if keyword == "format" and value not in FORMATS:
        raise StudyError(f"format {value!r} is not checked; checked are {', '.join(FORMATS)}")
    return value


def python_pattern(pattern: str) -> str:
    """Write an ECMA-262 pattern for Python's `re`."""
    ended = END.sub(lambda found: r"\Z" if found[0] == "$" else found[0], pattern)
    return f"(?a:{ended})"
