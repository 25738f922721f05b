"""Define the type of a step's sample."""

from typing import Generic, TypeVar

import msgspec

G = TypeVar("G", bound=msgspec.Struct)


class Sample(msgspec.Struct, Generic[G], frozen=True):
    """A sample of a step for the shared test suite.

    `replies` are the JSON replies of a good model, in order. `stranger` is an untrusted text in
    `step_input`, which the suite looks for in the prompts.
    """

    step_input: G
    replies: tuple[str, ...]
    stranger: str
