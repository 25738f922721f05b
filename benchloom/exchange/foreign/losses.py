"""Find the data that formats with labelled calls, such as NESTFUL, cannot store.

Each definition and each value is converted to the format and back; any difference is a loss.
"""

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from benchloom.core.records import ApiDefinition
from benchloom.core.records.values import Composed, Plain, RuntimeValue, Value, rendered
from benchloom.exchange.examples import Call, Example, Loss
from benchloom.exchange.examples.example import output_names, refs_of
from benchloom.exchange.foreign.labels import Labels, label_text
from benchloom.exchange.foreign.specifications import (
    call_name,
    definition_name,
    definition_of,
    split_name,
    tool_of,
)

LOSSES = {
    "app_name": "the name of a call does not show where the name of its app ends",
    "blocks": "calls inside control blocks are written like other calls",
    "definition": "of a tool, only name, texts, types, values, defaults and results are written",
    "given": "a value that is known only at run time is read back as a text",
    "no_request": "an example without a request gets an empty request",
    "outcome": "a failed, retried or superseded call is written like a successful call",
    "reference_like_text": "a text that looks like a reference is read back as a reference",
    "reference_mode": "all references are read back as references of the source",
    "repeated_argument": "if two arguments have the same name, only the last is written",
    "repaired": "faults of labels or tools in the source are not written",
    "result": "the result of a call is not written",
    "returns": "only outputs that the tool declares are written",
    "supplied": "the recorded value of a reference is not written",
    "turns": "turns of a dialogue other than the request are not written",
}


_REPAIRED = frozenset({"repeated_label", "repeated_tool"})


class LabelledLosses:
    """Finds the data that examples lose in a format with labelled calls.

    Each definition is checked only once.
    """

    def __init__(self, outputs: str = "output_parameters") -> None:
        self._outputs = outputs
        self._whole: dict[str, bool] = {}

    def of(self, example: Example, prefix: str) -> Iterator[Loss]:
        """Yield the data that an example loses if the labels of its calls begin with `prefix`."""
        if example.request is None:
            yield Loss("no_request")
        if example.turns:
            yield Loss("turns")
        if example.reference_mode != "flow" and any(refs_of(example.calls)):
            yield Loss("reference_mode")
        if any(finding.kind in _REPAIRED for finding in example.findings):
            yield Loss("repaired")
        definitions_by_id = {tool.definition_id: tool for tool in example.definitions}
        for definition in example.definitions:
            if not self._is_whole(definition):
                yield Loss("definition", definition_name(definition))
        labels = Labels(f"{prefix}{step + 1}" for step in range(len(example.calls)))
        for step, call in enumerate(example.calls):
            tool = definitions_by_id.get(call.definition_id)
            outputs = None if tool is None else output_names(tool)
            yield from _of_call(call, f"call {step}", outputs, labels, prefix)
            labels.add(f"{prefix}{step + 1}", None if outputs is None else frozenset(outputs))
        if example.answer is not msgspec.UNSET and _differs(example.answer, labels, prefix):
            yield Loss("reference_like_text", "answer")

    def _is_whole(self, definition: ApiDefinition) -> bool:
        is_whole = self._whole.get(definition.definition_id)
        if is_whole is None:
            again = definition_of(tool_of(definition, self._outputs), definition.source_kind, "")
            is_whole = content_of(again) == content_of(definition)
            self._whole[definition.definition_id] = is_whole
        return is_whole


def content_of(definition: ApiDefinition) -> ApiDefinition:
    """Return a definition without its id and origin, for comparison with another definition."""
    return replace(
        definition,
        definition_id="",
        api=definition_name(definition),
        source_uri="",
        source_digest="",
        sources=(),
        oddities=(),
    )


def _of_call(
    call: Call, location: str, outputs: tuple[str, ...] | None, labels: Labels, prefix: str
) -> Iterator[Loss]:
    if split_name(call_name(call.app, call.api)) != (call.app, call.api):
        yield Loss("app_name", location)
    if call.result is not None:
        yield Loss("result", location)
    if call.outcome != "ok":
        yield Loss("outcome", location)
    if call.depth:
        yield Loss("blocks", location)
    if outputs is not None and call.returns != outputs:
        yield Loss("returns", location)
    names: set[str] = set()
    for argument in call.arguments:
        where = f"{location}.{argument.name}"
        if argument.name in names:
            yield Loss("repeated_argument", where)
        names.add(argument.name)
        if argument.supplied is not None:
            yield Loss("supplied", where)
        if _differs(argument.value, labels, prefix):
            kind = "given" if _has_runtime_value(argument.value) else "reference_like_text"
            yield Loss(kind, where)


def _differs(value: Value, labels: Labels, prefix: str) -> bool:
    return labels.value(labelled_value(value, prefix)) != value


def _has_runtime_value(value: Value) -> bool:
    if isinstance(value, list):
        return any(map(_has_runtime_value, value))
    if isinstance(value, dict):
        return any(map(_has_runtime_value, value.values()))
    parts = value.parts if isinstance(value, Composed) else (value,)
    return any(isinstance(part, RuntimeValue) for part in parts)


def labelled_value(value: Value, prefix: str) -> Plain:
    """Convert a value to plain JSON in which references are labels such as `$var1$`."""
    return rendered(value, lambda ref: label_text(ref, prefix))
