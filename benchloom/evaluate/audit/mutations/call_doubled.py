"""Mutation: repeat a call."""

from random import Random

import msgspec

from benchloom.evaluate.audit.mutation import Changed, Mutation, Subject


class _CallDoubled(Mutation):
    title = "the last call twice"

    def changed(self, subject: Subject, draw: Random) -> Changed:
        if not subject.gold_calls:
            return msgspec.UNSET
        return subject.output((*subject.gold_calls, subject.gold_calls[-1]))


MUTATION = _CallDoubled()
