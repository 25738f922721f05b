"""Mutation: use other labels for the same graph of calls."""

from random import Random

from benchloom.evaluate.audit.mutation import Changed, Mutation, Subject


class _LabelsRenumbered(Mutation):
    title = "every label has another number, and so have the references to it"
    meaning = "same"

    def changed(self, subject: Subject, draw: Random) -> Changed:
        output = subject.output(subject.gold_calls)
        return subject.benchmark.relabelled(subject.sample, output)


MUTATION = _LabelsRenumbered()
