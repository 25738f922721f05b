"""Values that the inputs of many cases are made with, as what definitions tell."""

import hashlib
import pickle
from functools import cached_property
from typing import Generic, TypeVar

T = TypeVar("T")


class Shared(Generic[T]):
    """A value that goes to another process once, and not with each case that needs it."""

    def __init__(self, value: T) -> None:
        self.value = value

    @cached_property
    def packed(self) -> bytes:
        """The value as it goes there."""
        return pickle.dumps(self.value)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of it, in hex: by this it is asked for there."""
        return hashlib.sha256(self.packed).hexdigest()
