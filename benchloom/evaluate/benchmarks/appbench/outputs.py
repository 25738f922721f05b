"""Read the calls in an output, which may be a text or one of several kinds of objects."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.records.values import Plain, Value, from_plain, refs_in, refuse_deep, value_of
from benchloom.evaluate.benchmarks.appbench.names import Names
from benchloom.evaluate.benchmarks.appbench.raw import NO_PRODUCER, resolve_calls
from benchloom.evaluate.benchmarks.appbench.records import FIELDS, raw_calls
from benchloom.evaluate.benchmarks.appbench.texts import calls_in
from benchloom.evaluate.json_texts import json_in
from benchloom.exchange.examples import Argument, Call, Ref
from benchloom.exchange.foreign.records import faults

_STEPS = ("steps", "calls")
_WRAPPERS = ("output", "record")


class _Argument(msgspec.Struct, frozen=True):
    name: str
    value: Any = None
    from_step: int | None = None
    output: str | None = None
    is_json: bool = False


class _Step(msgspec.Struct, frozen=True):
    api: str
    app: str = ""
    arguments: list[_Argument] | dict[str, Any] = []
    returns: tuple[str, ...] = ()


def calls_of(output: Plain, names: Names) -> tuple[Call, ...]:
    """Return the calls in an output; their names are spelled as in the sample.

    A text has the form that the published prompt requests, or is JSON. JSON is a published record,
    an object with a record as its `output`, an object with the `steps` of a plan, a list of steps,
    or an object that maps each app to texts of calls.

    Raises RejectedInputError if the output cannot be read.
    """
    refuse_deep(output)
    # Three layers at most are removed: a record in an object in a text.
    for _ in (*_WRAPPERS, "text"):
        if isinstance(output, str):
            output = _structure_in(output)
        elif isinstance(output, dict) and not output.keys() & {*FIELDS, *_STEPS}:
            output = next((output[name] for name in _WRAPPERS if name in output), output)
    if isinstance(output, str):
        return _of_text(output, names)
    if isinstance(output, dict):
        return _of_object(output, names)
    if isinstance(output, list):
        if output and all(isinstance(line, str) for line in output):
            return _of_text("\n".join(map(str, output)), names)
        return _of_steps(output, names)
    raise RejectedInputError("wrong_shape", "the output must be a text, an object or a list")


def _structure_in(text: str) -> Plain:
    if not any(f'"{name}"' in text for name in (*FIELDS, *_STEPS)):
        return text
    try:
        return json_in(text)
    except RejectedInputError as error:
        if error.reason in {"too_deep", "too_large"}:
            raise
        return text


def _of_text(text: str, names: Names) -> tuple[Call, ...]:
    if text.strip(" \t\r\n`") in {"[]", "[ ]"}:
        return ()
    return resolve_calls(calls_in(text, names), names)


def _of_object(output: Mapping[str, Plain], names: Names) -> tuple[Call, ...]:
    if output.keys() & {*FIELDS}:
        return resolve_calls(raw_calls(output, names), names)
    for name in _STEPS:
        if name in output:
            return _of_steps(output[name], names)
    return resolve_calls(calls_in("\n".join(_lines(output)), names), names)


def _lines(output: Mapping[str, Plain]) -> Iterable[str]:
    for app, lines in output.items():
        for line in lines if isinstance(lines, list) else [lines]:
            if not isinstance(line, str):
                raise RejectedInputError("wrong_shape", "the object does not describe calls")
            yield f"{app}: [{line.strip().removeprefix('[').removesuffix(']')}]"


def _of_steps(output: Plain, names: Names) -> tuple[Call, ...]:
    with faults():
        steps = msgspec.convert(output, tuple[_Step, ...])
        return tuple(_call(step, index, names) for index, step in enumerate(steps))


def _call(step: _Step, position: int, names: Names) -> Call:
    app, api = names.call(step.app, step.api)
    if isinstance(step.arguments, dict):
        arguments = [Argument(name, from_plain(value)) for name, value in step.arguments.items()]
    else:
        arguments = [_argument(argument) for argument in step.arguments]
    reachable = tuple(
        argument
        if all(0 <= ref.step < position for ref in refs_in(argument.value))
        else Argument(argument.name, NO_PRODUCER)
        for argument in arguments
    )
    return Call(app, api, reachable, returns=names.returns(app, api) or step.returns)


def _argument(argument: _Argument) -> Argument:
    value: Value = from_plain(argument.value)
    if argument.from_step is not None:
        supplied = value if isinstance(value, str) and value else None
        return Argument(argument.name, Ref(argument.from_step, argument.output or None), supplied)
    if isinstance(value, str):
        return Argument(argument.name, value_of(value, is_json=argument.is_json))
    return Argument(argument.name, value)
