"""Read a sequence of calls, which is a list in the structure of gold or a model's text."""

from collections.abc import Callable, Mapping, Sequence

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.records.values import Plain, Value, refs_in, refuse_deep
from benchloom.evaluate.json_texts import is_object, json_in
from benchloom.exchange.examples import Call as ExampleCall
from benchloom.exchange.examples import Example
from benchloom.exchange.examples.example import output_names
from benchloom.exchange.foreign.labelled_records import ANSWER
from benchloom.exchange.foreign.labels import Labels, free_prefix
from benchloom.exchange.foreign.losses import labelled_value
from benchloom.exchange.foreign.specifications import definition_name
from benchloom.exchange.formats.nestful_v2 import labelled_calls

MAX_CALLS = 1000  # maximum calls of an output; a longer output is rejected
_PREFIX = "var_"


class Entry(msgspec.Struct, frozen=True):
    """A call in an output whose references to other calls are still texts."""

    name: str
    arguments: dict[str, Plain]
    label: str = ""


class PlannedCall(msgspec.Struct, frozen=True):
    """A call with resolved references, which may by mistake point to later calls."""

    name: str
    arguments: dict[str, Value]


class Plan(msgspec.Struct, frozen=True):
    """The calls of an output, and its answer: the values of the entry `var_result`, if any."""

    calls: tuple[PlannedCall, ...]
    answer: dict[str, Value] | None = None


Outputs = Mapping[str, tuple[str, ...]]  # the output names of each declared function


def entries_of(output: Plain) -> list[Entry]:
    """Return the calls in an output, with their references as texts.

    Raises RejectedInputError if the output is not a list of calls, is nested too deeply, or has
    more than 1,000 calls.
    """
    return read_entries(json_in(output, _is_calls) if isinstance(output, str) else output, _entry)


def read_entries(calls: Plain, read_entry: Callable[[Plain], Entry]) -> list[Entry]:
    """Apply `read_entry` to each element of a list of calls.

    Raises RejectedInputError if `calls` is not a list, is nested too deeply, or has more than 1,000
    elements.
    """
    if not isinstance(calls, list):
        raise RejectedInputError("no_calls", "the output is not a list of calls")
    if len(calls) > MAX_CALLS:
        raise RejectedInputError("too_many_calls", f"the output has more than {MAX_CALLS} calls")
    refuse_deep(calls)
    return [read_entry(call) for call in calls]


def _is_calls(value: Plain) -> bool:
    return isinstance(value, list) and all(
        isinstance(call, dict) and isinstance(call.get("name"), str) for call in value
    )


def _entry(call: Plain) -> Entry:
    name = call.get("name") if isinstance(call, dict) else None
    if not isinstance(call, dict) or not isinstance(name, str):
        raise RejectedInputError("no_calls", "a call has no name")
    label = call.get("label")
    arguments = call.get("arguments")
    if isinstance(arguments, str):
        arguments = json_in(arguments, is_object)
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, dict):
        raise RejectedInputError("no_calls", "the arguments of a call are not an object")
    return Entry(name, arguments, label if isinstance(label, str) else "")


def plan_of(entries: Sequence[Entry], outputs: Outputs) -> Plan:
    """Convert calls to a plan, in which references name calls by index instead of label."""
    calls = [entry for entry in entries if entry.name != ANSWER]
    labels = Labels(entry.label.strip("$") for entry in calls)
    planned: list[PlannedCall] = []
    for entry in calls:
        arguments = {name: labels.value(value) for name, value in entry.arguments.items()}
        planned.append(PlannedCall(entry.name, arguments))
        output_names = outputs.get(entry.name)
        labels.add(
            entry.label.strip("$"), None if output_names is None else frozenset(output_names)
        )
    answer: dict[str, Value] | None = None
    for entry in entries:
        if entry.name == ANSWER:
            answer = {name: labels.value(value) for name, value in entry.arguments.items()}
    return Plan(tuple(planned), answer)


def outputs_of(example: Example) -> dict[str, tuple[str, ...]]:
    """Return a mapping from each tool of an example to the names of its declared outputs."""
    return {
        definition_name(definition): output_names(definition) for definition in example.definitions
    }


def parameters_of(example: Example) -> dict[str, tuple[str, ...]]:
    """Return a mapping from each tool of an example to its parameters, in declared order."""
    return {
        definition_name(definition): tuple(parameter.name for parameter in definition.parameters)
        for definition in example.definitions
    }


def structure_of(example: Example, calls: Sequence[ExampleCall]) -> Plain:
    """Write calls as in gold, with labels in order.

    If the answer of the example refers to results, a closing entry contains it.
    """
    prefix = free_prefix(example, _PREFIX)
    entries: list[Plain] = msgspec.to_builtins(labelled_calls(calls, prefix))
    answer = example.answer
    if isinstance(answer, dict) and next(refs_in(answer), None) is not None:
        answer_arguments = {name: labelled_value(value, prefix) for name, value in answer.items()}
        entries.append({"name": ANSWER, "arguments": answer_arguments})
    return entries
