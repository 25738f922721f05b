"""Mutation: cut off the text of gold."""

from random import Random
from typing import TYPE_CHECKING

import msgspec

from benchloom.evaluate.audit.mutation import Mutation, Subject

if TYPE_CHECKING:
    from benchloom.core.records.values import Plain

SHORTEST = 10
"""Characters of a text that can be cut."""


class CutOff(Mutation):
    """Cut off the text of gold in the middle of its last call."""

    title = "the text of gold, cut in the middle of its last call"
    meaning = "nothing"

    def changed(self, subject: Subject, draw: Random) -> "Plain | msgspec.UnsetType":
        """Return the first two thirds of the gold text; unset if the text is too short."""
        text = subject.benchmark.text_of(subject.sample, subject.calls[subject.first :])
        if len(text) < SHORTEST:
            return msgspec.UNSET
        del draw
        return text[: len(text) * 2 // 3]


MUTATION = CutOff()
