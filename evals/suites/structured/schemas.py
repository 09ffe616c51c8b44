"""Our own schemas: each asks for one thing that engines are known to drop without a word.

An item's request names every fact, so that one instance is right; other valid and invalid instances
show what its keywords mean, and prove the validator before it judges an engine. Which keywords
engines drop: XGrammar keeps `format` over `pattern` over lengths (SGLang pull request 37839);
`patternProperties` has run into endless white space (vLLM issue 30730).

Example: `pattern-max-length` asks for the word "harbor" under `^[a-z]+$` and at most 6 characters;
"harbors" breaks `maxLength` and "Harbor" breaks `pattern`.
"""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from evals.suites.structured.dialect import Schema
from evals.yaml_file import read_mapping

FILE = Path(__file__).with_name("schemas.yaml")


class Broken(BaseModel):
    """An instance that does not validate."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    breaks: str = Field(description="the keyword it breaks")
    value: JsonValue = Field(description="the instance")


class SchemaItem(BaseModel):
    """One request for JSON of a schema, and the instance that answers it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(description="name, unique in its set")
    family: str = Field(description="the cluster: items of a family fail together")
    keywords: tuple[str, ...] = Field(description="what the item puts to the test")
    request: str = Field(description="the request in words; it names every fact")
    json_schema: Schema = Field(description="JSON Schema, Draft 2020-12")
    gold: JsonValue = Field(description="the instance that answers the request")
    valid: tuple[JsonValue, ...] = Field(description="others that validate, and are wrong")
    invalid: tuple[Broken, ...] = Field(description="instances that do not validate")


class _Schemas(BaseModel):
    """The file: one list."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    schemas: tuple[SchemaItem, ...]


def read_schemas() -> tuple[SchemaItem, ...]:
    """Read `schemas.yaml`; that its instances are what they say, the tests prove."""
    return _Schemas.model_validate(read_mapping(FILE, "schema file")).schemas
