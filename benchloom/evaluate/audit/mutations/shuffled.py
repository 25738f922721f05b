"""Mutation: predict the gold of another sample."""

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

import msgspec

from benchloom.evaluate.audit.mutation import Mutation, Subject, asked_calls
from benchloom.exchange.examples import Argument, Call

if TYPE_CHECKING:
    from benchloom.core.records.values import Plain


class Shuffled(Mutation):
    """Use the gold of another sample as the prediction."""

    title = "the gold of another sample"

    def changed(self, subject: Subject, draw: Random) -> "Plain | msgspec.UnsetType":
        """Return the other sample's gold; unset if its scored content is the same."""
        del draw
        calls, first = asked_calls(subject.other)
        mine = subject.output(subject.calls[subject.first :])
        theirs = subject.benchmark.output_of(subject.other, calls[first:])
        same = mine == theirs or _said(subject, subject.calls[subject.first :]) == _said(
            subject, calls[first:]
        )
        return msgspec.UNSET if same else theirs


def _said(subject: Subject, calls: Sequence[Call]) -> list[tuple[str, str, list[Argument]]]:
    """Return the scored content of calls: app and API names, and the scored arguments."""
    return [
        (
            call.app,
            call.api,
            [each for each in call.arguments if subject.benchmark.is_scored(subject.sample, each)],
        )
        for call in calls
    ]


MUTATION = Shuffled()
