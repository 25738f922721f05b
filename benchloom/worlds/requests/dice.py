"""A sequence of pseudo-random draws that is equal on every machine."""

from collections.abc import Sequence
from typing import TypeVar

from benchloom.core.identity import pick

T = TypeVar("T")


class Dice:
    """Pseudo-random draws; equal seeds, candidate numbers and streams give equal draws."""

    def __init__(self, seed: int, number: int, stream: str = "dice") -> None:
        self._seed = seed
        self._stream = stream
        self._number = number
        self._thrown = 0

    def below(self, size: int) -> int:
        """Draw a number from 0 to `size` - 1."""
        self._thrown += 1
        return pick(self._seed, self._number, f"{self._stream}/{self._thrown}", size)

    def one_of(self, choices: Sequence[T]) -> T:
        """Draw one of the choices with equal probability."""
        return choices[self.below(len(choices))]

    def chance(self, of_ten: int) -> bool:
        """Draw a boolean that is true `of_ten` times out of ten."""
        return self.below(10) < of_ten
