"""The base of every record: frozen, closed, finite."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

Arm = Literal["baseline", "variant"]


class Result(BaseModel):
    """Frozen and closed; NaN and infinities are refused at the door."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
