"""Mutation: no answer at all."""

from random import Random

from benchloom.evaluate.audit.mutation import Changed, Mutation, Subject


class _Empty(Mutation):
    title = "nothing"
    meaning = "nothing"

    def changed(self, subject: Subject, draw: Random) -> Changed:
        return ""


MUTATION = _Empty()
