"""Check sequences of API calls that models propose; every call must fit its definition."""

import re
from collections.abc import Sequence

import msgspec

from prompts.errors import ReplyError
from prompts.tools.tool import Tool

_REFERENCE = re.compile(r"\$(var\d+)\.([^$]+)\$")
LONGEST_VALUE = 300


class ArgumentReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One argument of a proposed call; a reference has the form `$var1.field$`."""

    name: str
    value: str


class CallReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One call; `label` names its outputs: var1, var2, ..."""

    name: str
    label: str
    arguments: tuple[ArgumentReply, ...]


def check_calls(calls: Sequence[CallReply], tools: Sequence[Tool]) -> None:
    """Raise if a call of a sequence does not fit the definition of its API.

    Raises:
        ReplyError: bad_call_sequence, naming the first fault: unknown API or parameter, a
            missing required parameter, a value outside an enumeration, a label out of order, a
            reference to a later call or to an output that its API does not declare.
    """
    by_api = {tool.api: tool for tool in tools}
    outputs: dict[str, frozenset[str]] = {}
    for number, call in enumerate(calls, start=1):
        tool = by_api.get(call.name)
        if tool is None:
            raise _fault(number, f"API '{call.name[:80]}' is not among the offered tools")
        if call.label != f"var{number}":
            raise _fault(number, f"the label is not var{number}")
        _check_arguments(number, call, tool, outputs)
        outputs[call.label] = frozenset(field.name for field in tool.returns)


def _check_arguments(
    number: int, call: CallReply, tool: Tool, outputs: dict[str, frozenset[str]]
) -> None:
    declared = {parameter.name: parameter for parameter in tool.parameters}
    supplied = [argument.name for argument in call.arguments]
    if len(set(supplied)) != len(supplied):
        raise _fault(number, "a parameter is supplied twice")
    for argument in call.arguments:
        parameter = declared.get(argument.name)
        if parameter is None:
            raise _fault(number, f"parameter '{argument.name[:80]}' is not declared")
        if len(argument.value) > LONGEST_VALUE:
            raise _fault(number, f"'{parameter.name}' is longer than {LONGEST_VALUE} characters")
        references = _REFERENCE.findall(argument.value)
        for label, field in references:
            if field not in outputs.get(label, frozenset()):
                raise _fault(number, f"no earlier call returns {label}.{field}")
        if parameter.values and not references and argument.value not in parameter.values:
            raise _fault(number, f"'{parameter.name}' is outside its enumeration")
    missing = [p.name for p in tool.parameters if not p.optional and p.name not in supplied]
    if missing:
        raise _fault(number, f"required '{missing[0]}' is missing")


def _fault(number: int, message: str) -> ReplyError:
    return ReplyError("bad_call_sequence", f"call {number}: {message}")


def is_reference(value: str) -> bool:
    """Whether an argument's value refers to an output of an earlier call."""
    return _REFERENCE.search(value) is not None


def nested_count(calls: Sequence[CallReply]) -> int:
    """Count the arguments that refer to outputs of earlier calls."""
    return sum(is_reference(entry.value) for call in calls for entry in call.arguments)
