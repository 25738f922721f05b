"""What every table of `rebuild.toml` has in common."""

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """One table: frozen; a key it does not know is a fault, and so is a number without end."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", hide_input_in_errors=True, allow_inf_nan=False
    )
