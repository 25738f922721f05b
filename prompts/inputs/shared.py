"""Values that the inputs of many cases share, such as facts from definitions."""

import hashlib
import pickle
from functools import cached_property
from typing import Generic, TypeVar

T = TypeVar("T")


class Shared(Generic[T]):
    """A value sent to another process only once, not again with each case that needs it."""

    def __init__(self, value: T) -> None:
        self.value = value

    @cached_property
    def packed(self) -> bytes:
        """Return the value in the pickled form that is sent to the other process."""
        return pickle.dumps(self.value)

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256 of the packed value in hex.

        The other process requests the value by this digest.
        """
        return hashlib.sha256(self.packed).hexdigest()
