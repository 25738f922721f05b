"""The error that a tool raises to refuse a call."""

from typing import Literal, TypeAlias

RefusalKind: TypeAlias = Literal[
    "unknown_tool", "invalid_argument", "not_found", "conflict", "permission", "unavailable"
]
"""`unavailable` is what the world refuses for a reason of its own: sold out, closed."""


class RefusedError(Exception):
    """Raised if a tool refuses a call; the state is unchanged."""

    def __init__(self, kind: RefusalKind, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
