"""Mutation: cut off the text of gold."""

from random import Random

import msgspec

from benchloom.evaluate.audit.mutation import Changed, Mutation, Subject

SHORTEST = 10  # characters of a text that can be cut


class _CutOff(Mutation):
    title = "the text of gold, cut in the middle of its last call"
    meaning = "nothing"

    def changed(self, subject: Subject, draw: Random) -> Changed:
        text = subject.benchmark.text_of(subject.sample, subject.gold_calls)
        if len(text) < SHORTEST:
            return msgspec.UNSET
        return text[: len(text) * 2 // 3]


MUTATION = _CutOff()
