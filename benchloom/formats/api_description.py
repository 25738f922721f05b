"""What an export tells a reader about an API: its parameters and outputs in plain JSON types."""

import msgspec


class ParameterDescription(msgspec.Struct, frozen=True):
    """One parameter or output; `values` are closed when there are any."""

    name: str
    description: str = ""
    required: bool = False
    default: str | None = None
    values: tuple[str, ...] = ()


class ApiDescription(msgspec.Struct, frozen=True):
    """One API as the plan's steps name it."""

    app: str
    api: str
    description: str
    parameters: tuple[ParameterDescription, ...]
    outputs: tuple[ParameterDescription, ...]
