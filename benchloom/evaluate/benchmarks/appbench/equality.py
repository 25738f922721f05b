"""Compare argument values, and convert calls to graphs that can be compared.

Every value is a text in AppBench. Numbers are equal in any spelling (`4`, `4.0`); other texts must
match exactly. Lists and objects are compared as JSON. Two references are equal if they use the same
output of corresponding calls; a reference never equals a literal.
"""

import re
from collections.abc import Sequence
from decimal import Context, Decimal

import msgspec

from benchloom.core.records.values import Plain, Value, refs_in, rendered
from benchloom.evaluate.benchmarks.appbench.isomorphism import Node
from benchloom.exchange.examples import Argument, Call, Ref

_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,40})(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?", re.ASCII)
_DIGITS = Context(prec=100)
_ENCODER = msgspec.json.Encoder(order="deterministic")
_RESULT = "\x00"  # placeholder of a result inside a text, list or object


class Slot(msgspec.Struct, frozen=True, order=True, gc=False):
    """An argument in a form that can be compared between two lists of calls.

    It contains no indices of calls, because these differ between the lists.
    """

    name: str
    text: str  # equal for equal values
    outputs: tuple[
        tuple[str, str], ...
    ] = ()  # the outputs, and parts of outputs, to which the argument refers


def literal_text(value: Plain) -> str:
    """Convert a literal value to a text; equal values have equal texts."""
    text = value if isinstance(value, str) else _ENCODER.encode(value).decode()
    if _NUMBER.fullmatch(text):
        return str(_DIGITS.normalize(Decimal(text)) or 0)
    if text[:1] in {"[", "{"}:
        try:
            return _ENCODER.encode(msgspec.json.decode(text)).decode()
        except (msgspec.DecodeError, RecursionError):
            return text
    return text


def slot_of(argument: Argument, calls: Sequence[Call]) -> tuple[Slot, tuple[int, ...]]:
    """Return an argument as a comparable `Slot`, and the indices of the calls that it refers to."""
    value: Value = argument.value
    if isinstance(value, str):
        return Slot(argument.name, literal_text(value)), ()
    refs = tuple(refs_in(value))
    text = literal_text(rendered(value, lambda _: _RESULT))
    outputs = tuple((_output(ref, calls), ref.path.lstrip(".")) for ref in refs)
    return Slot(argument.name, text, outputs), tuple(ref.step for ref in refs)


def nodes_of(calls: Sequence[Call]) -> list[Node]:
    """Convert calls to the nodes of a graph; their names must already be canonical."""
    nodes = []
    for call in calls:
        slots = sorted(slot_of(argument, calls) for argument in call.arguments)
        label = (call.app, call.api, tuple(slot for slot, _ in slots))
        nodes.append(Node(label, tuple(step for _, steps in slots for step in steps)))
    return nodes


def _output(ref: Ref, calls: Sequence[Call]) -> str:
    """Return the name of the output that a reference selects.

    A reference to a whole result selects the API's output, if there is only one.
    """
    returns = calls[ref.step].returns
    return returns[0] if ref.output is None and len(returns) == 1 else ref.output or ""
