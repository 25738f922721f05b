"""The interface of mutations, which are functions that change the gold output of a sample.

The mutations themselves are in the module `mutations`.
"""

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
"""A changed output, or UNSET if the mutation cannot change the output of this sample."""
ChangedValue: TypeAlias = "Value | msgspec.UnsetType"
"""A changed argument value, or UNSET if the mutation cannot change this value."""
Meaning: TypeAlias = Literal["same", "other", "nothing"]
"""Whether a changed output means the same as gold, means something else, or is unreadable."""


class Subject(msgspec.Struct, frozen=True):
    """The input of a mutation: a sample, its expected calls, and another sample of the gold."""

    benchmark: Benchmark
    sample: Sample
    calls: tuple[Call, ...]  # all calls up to the last expected call
    first: int  # index of the first expected call
    other: Sample

    @property
    def gold_calls(self) -> tuple[Call, ...]:
        """The calls that a prediction for the sample should contain."""
        return self.calls[self.first :]

    @property
    def expected_indices(self) -> range:
        """The indices in `calls` of the calls that a prediction should contain."""
        return range(self.first, len(self.calls))

    def output(self, calls: Sequence[Call]) -> Plain:
        """Write calls as an output in the structure of the benchmark's gold."""
        return self.benchmark.output_of(self.sample, calls)

    def scored(self, at: int) -> list[int]:
        """Return the indices of the arguments of call `at` whose values affect a metric."""
        return [
            index
            for index, argument in enumerate(self.calls[at].arguments)
            if self.benchmark.is_scored(self.sample, argument)
        ]

    def output_with(self, at: int, **changes: object) -> Plain:
        """Return the gold output with changed fields in one call, which is `calls[at]`."""
        output_calls = list(self.gold_calls)
        output_calls[at - self.first] = replace(self.calls[at], **changes)
        return self.output(output_calls)


class Mutation(msgspec.Struct, frozen=True):
    """A function that changes gold outputs; `meaning` states whether the new outputs are right."""

    title: str
    meaning: Meaning
    changed: Callable[[Subject, Random], Changed]


def requested_calls(sample: Sample) -> tuple[tuple[Call, ...], int]:
    """Return a sample's calls up to the last expected call, and the first expected call's index.

    The calls before this index are context: a prediction may refer to their results.
    """
    if sample.position is None:
        return sample.example.calls, 0
    return sample.example.calls[: sample.position + 1], sample.position


def with_value(
    subject: Subject, draw: Random, changed_value: Callable[[Value], ChangedValue]
) -> Changed:
    """Return the gold output after `changed_value` has changed one scored value, chosen at random.

    Returns UNSET if `changed_value` can change none of the scored values.
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
    """Return a call with renumbered references; `step` maps old to new indices of calls."""

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
