"""Mutation: gold as the text that a model would write."""

from random import Random

from benchloom.evaluate.audit.mutation import Changed, Mutation, Subject


class _GoldText(Mutation):
    title = "gold as a text in the form of the published prompt"
    meaning = "same"

    def changed(self, subject: Subject, draw: Random) -> Changed:
        return subject.benchmark.text_of(subject.sample, subject.gold_calls)


MUTATION = _GoldText()
