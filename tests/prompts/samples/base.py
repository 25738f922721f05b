"""Type of the samples."""

from typing import Generic, TypeVar

import msgspec

G = TypeVar("G", bound=msgspec.Struct)


class Sample(msgspec.Struct, Generic[G], frozen=True):
    """Sample of a step for the shared test suite.

    `replies` are the JSON replies of a model that does well, in order; `stranger` is a text that
    occurs somewhere in the input, so that the suite can look for it in the prompts.
    """

    given: G
    replies: tuple[str, ...]
    stranger: str
