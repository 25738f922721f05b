"""Mutation: predict the gold of another sample."""

from collections.abc import Sequence
from random import Random

import msgspec

from benchloom.evaluate.audit.mutation import Changed, Mutation, Subject, requested_calls
from benchloom.exchange.examples import Argument, Call


class _Shuffled(Mutation):
    title = "the gold of another sample"

    def changed(self, subject: Subject, draw: Random) -> Changed:
        calls, first = requested_calls(subject.other)
        mine = subject.output(subject.gold_calls)
        theirs = subject.benchmark.output_of(subject.other, calls[first:])
        same = mine == theirs or _scored_arguments(
            subject, subject.gold_calls
        ) == _scored_arguments(subject, calls[first:])
        return msgspec.UNSET if same else theirs


def _scored_arguments(
    subject: Subject, calls: Sequence[Call]
) -> list[tuple[str, str, list[Argument]]]:
    return [
        (
            call.app,
            call.api,
            [each for each in call.arguments if subject.benchmark.is_scored(subject.sample, each)],
        )
        for call in calls
    ]


MUTATION = _Shuffled()
