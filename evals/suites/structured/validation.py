"""Whether a value conforms to a JSON Schema of Draft 2020-12 (adapter: jsonschema).

An engine that compiled a schema has not thereby enforced it: it may ignore a keyword, or keep one
of two (`pattern` and `maxLength`: vLLM issue 45592). So the judge is a validator outside of it.

Example: under `{"properties": {"a": {"maxLength": 3}}}` the value `{"a": "abcd"}` has one breach,
of `maxLength` within `properties`.
"""

from collections.abc import Callable, Iterable
from functools import partial

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import SchemaError
from pydantic import JsonValue

from evals.suites.structured.dialect import OF_NAMES, Schema, readable
from evals.suites.structured.formats import FORMATS
from variants.errors import StudyError


def is_valid(schema: Schema, value: JsonValue) -> bool:
    """Tell whether a value conforms."""
    return bool(_validator(schema).is_valid(value))


def breaches(schema: Schema, value: JsonValue) -> tuple[frozenset[str], ...]:
    """Name, for each thing wrong with a value, the keyword broken and those that lead to it."""
    return tuple(
        _keywords((*error.absolute_schema_path, error.validator))
        for error in _validator(schema).iter_errors(value)
    )


def check_schema(schema: Schema) -> None:
    """Refuse what is no schema of Draft 2020-12, or says what nobody would check.

    Raises:
        StudyError: with the first thing wrong.
    """
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise StudyError(f"no JSON Schema of Draft 2020-12: {error.message}") from error
    readable(schema)


def _validator(schema: Schema) -> Draft202012Validator:
    return Draft202012Validator(readable(schema), format_checker=_CHECKER)


def _keywords(path: Iterable[str | int | None]) -> frozenset[str]:
    """Leave out of a path the names that follow `properties` and its like, and indices."""
    found: set[str] = set()
    is_name = False
    for part in path:
        if isinstance(part, str) and not is_name:
            found.add(part)
        is_name = part in OF_NAMES and not is_name
    return frozenset(found)


def _checker() -> FormatChecker:
    checker = FormatChecker(formats=())
    for name, is_format in FORMATS.items():
        checker.checks(name)(partial(_passes, is_format))
    return checker


def _passes(is_format: Callable[[str], bool], value: object) -> bool:
    """Tell whether a format has nothing against a value; it says nothing of what is no string."""
    return not isinstance(value, str) or is_format(value)


_CHECKER = _checker()
