"""The interface of mutations, which change the gold output of a sample; see `mutations.py`."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from benchloom.core.records.values import Plain, Value
from benchloom.evaluate.benchmark import Benchmark, Sample
from benchloom.exchange.examples import Call, Composed, Ref

SHUFFLED = "shuffled"  # the mutation that uses the gold of another sample
Changed: TypeAlias = "Plain | msgspec.UnsetType"
ChangedValue: TypeAlias = "Value | msgspec.UnsetType"
"""The result of a mutation; unset if it cannot change the sample or value."""
Meaning: TypeAlias = Literal["same", "other", "nothing"]
"""The meaning of the changed output: the same as gold's, another, or none (unreadable)."""


class Subject(msgspec.Struct, frozen=True):
    """The input of a mutation: a sample, its expected calls, and a different sample of the gold."""

    benchmark: Benchmark
    sample: Sample
    calls: tuple[Call, ...]  # all calls up to the last expected call
    first: int  # index of the first expected call
    other: Sample

    @property
    def gold_calls(self) -> tuple[Call, ...]:
        """The expected calls."""
        return self.calls[self.first :]

    @property
    def expected_indices(self) -> range:
        """The indices of the expected calls in `calls`."""
        return range(self.first, len(self.calls))

    def output(self, calls: Sequence[Call]) -> Plain:
        """Return calls as an output in the structure of gold."""
        return self.benchmark.output_of(self.sample, calls)

    def scored(self, at: int) -> list[int]:
        """Return the indices of the scored arguments of the call at index `at`."""
        return [
            index
            for index, argument in enumerate(self.calls[at].arguments)
            if self.benchmark.is_scored(self.sample, argument)
        ]

    def output_with(self, at: int, **changes: object) -> Plain:
        """Return the gold output, in which the call `calls[at]` has these changed fields."""
        output_calls = list(self.gold_calls)
        output_calls[at - self.first] = replace(self.calls[at], **changes)
        return self.output(output_calls)


class Mutation(msgspec.Struct, frozen=True):
    """A function that changes gold outputs, and whether the changed outputs mean the same."""

    title: str
    meaning: Meaning
    changed: Callable[[Subject, Random], Changed]


def requested_calls(sample: Sample) -> tuple[tuple[Call, ...], int]:
    """Return the calls up to the last expected call, and the index of the first expected call."""
    if sample.position is None:
        return sample.example.calls, 0
    return sample.example.calls[: sample.position + 1], sample.position


def with_value(
    subject: Subject, draw: Random, changed_value: Callable[[Value], ChangedValue]
) -> Changed:
    """Return the gold output with one random scored value changed.

    Returns UNSET if no value can be changed.
    """
    positions = [
        (call, argument)
        for call in subject.expected_indices
        for argument in subject.scored(call)
        if changed_value(subject.calls[call].arguments[argument].value) is not msgspec.UNSET
    ]
    if not positions:
        return msgspec.UNSET
    call, argument = draw.choice(positions)
    arguments = list(subject.calls[call].arguments)
    value = changed_value(arguments[argument].value)
    if isinstance(value, msgspec.UnsetType):
        return msgspec.UNSET
    arguments[argument] = replace(arguments[argument], value=value, supplied=None)
    return subject.output_with(call, arguments=tuple(arguments))


def renumbered(call: Call, step: Callable[[int], int]) -> Call:
    """Return the call with its references renumbered; `step` maps old to new indices."""

    def replaced(value: Value) -> Value:
        if isinstance(value, Ref):
            return replace(value, step=step(value.step))
        if isinstance(value, Composed):
            return Composed(
                tuple(
                    replace(part, step=step(part.step)) if isinstance(part, Ref) else part
                    for part in value.parts
                )
            )
        if isinstance(value, list):
            return [replaced(element) for element in value]
        if isinstance(value, dict):
            return {name: replaced(element) for name, element in value.items()}
        return value

    arguments = tuple(
        replace(argument, value=replaced(argument.value)) for argument in call.arguments
    )
    return replace(call, arguments=arguments)
