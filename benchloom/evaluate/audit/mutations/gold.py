"""Mutation: gold itself, unchanged, as the prediction."""

from random import Random

from benchloom.evaluate.audit.mutation import Changed, Mutation, Subject


class _Gold(Mutation):
    title = "gold itself"
    meaning = "same"

    def changed(self, subject: Subject, draw: Random) -> Changed:
        return subject.output(subject.gold_calls)


MUTATION = _Gold()
