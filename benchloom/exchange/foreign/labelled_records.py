"""Convert records with labelled calls, as in both versions of NESTFUL, to examples."""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from benchloom.core.records import ApiDefinition
from benchloom.core.records.values import Plain, Value, refuse_deep
from benchloom.exchange.examples import Argument, Call, Example, Finding
from benchloom.exchange.examples.example import output_names
from benchloom.exchange.examples.imports import query_id
from benchloom.exchange.examples.plans import arguments_of, plan_of, used_outputs
from benchloom.exchange.foreign.catalogue import stem_of
from benchloom.exchange.foreign.labels import Labels
from benchloom.exchange.foreign.records import Record
from benchloom.exchange.foreign.specifications import split_name

ANSWER = "var_result"  # the name of the last entry, which contains the answer
NULL = msgspec.Raw(b"null")


class _LabelledCall(msgspec.Struct, frozen=True):
    name: str
    arguments: dict[str, msgspec.Raw] = {}
    label: str | None = None


class LabelledRecord(msgspec.Struct, frozen=True):
    """A record with labelled calls, as in NESTFUL.

    `output`, `tools` and `gold_answer` are JSON, or texts that contain JSON.
    """

    output: msgspec.Raw
    input: str | None = None
    sample_id: str | int | None = None
    split: str | None = None
    tools: msgspec.Raw = NULL  # version 2 only
    gold_answer: msgspec.Raw = NULL  # version 2 only


_CALLS = msgspec.json.Decoder(list[_LabelledCall])
_TEXT = msgspec.json.Decoder(str)
RECORD = msgspec.json.Decoder(LabelledRecord)


def unwrapped(raw: msgspec.Raw) -> bytes:
    """Return the JSON of a field, or the JSON inside the text if the field is a text."""
    content = bytes(raw)
    return _TEXT.decode(content).encode() if content.startswith(b'"') else content


def plain_of(content: bytes | msgspec.Raw) -> Plain:
    """Decode a JSON value; raise RejectedInputError if the value is nested too deeply."""
    plain: Plain = msgspec.json.decode(content)
    refuse_deep(plain)
    return plain


def example_of_record(
    record: LabelledRecord,
    tools: Mapping[str, ApiDefinition],
    source: str,
    location: Record,
    *,
    split: str,
) -> Example:
    """Convert a record with labelled calls to an example.

    The definitions of called tools are in the order of their first call.

    Raises RejectedInputError if a value is nested too deeply; msgspec.DecodeError if `output` is
    not a list of calls.
    """
    own = record.sample_id
    source_id = f"{stem_of(location.source_uri)}/{location.number}" if own is None else str(own)
    entries = _CALLS.decode(unwrapped(record.output))
    entered = [entry for entry in entries if entry.name != ANSWER]
    labels = Labels(_label(entry) for entry in entered)
    calls: list[Call] = []
    for entry in entered:
        definition = tools.get(entry.name)
        returns = () if definition is None else output_names(definition)
        arguments = _values(entry, labels)
        calls.append(_call(entry.name, arguments, definition, returns))
        labels.add(_label(entry), None if definition is None else frozenset(returns))
    answer: Value | msgspec.UnsetType = msgspec.UNSET
    for entry in entries:
        if entry.name == ANSWER:
            answer = _values(entry, labels)
    used = _outputs_in_use(calls, answer)
    bare = Example(
        example_id="",
        target_id="",
        source=source,
        source_id=source_id,
        source_uri=location.source_uri,
        split=split,
        request=record.input or "",
        calls=tuple(
            call if call.definition_id else replace(call, returns=tuple(used.get(step, ())))
            for step, call in enumerate(calls)
        ),
        definitions=tuple(
            tools[name] for name in dict.fromkeys(entry.name for entry in entered) if name in tools
        ),
        answer=answer,
        findings=_findings(labels),
    )
    return with_ids(bare)


def with_ids(example: Example) -> Example:
    """Return the example with ids that are digests of its plan and its request.

    An example without calls is returned unchanged.
    """
    if not example.calls:
        return example
    target_id = plan_of(example).path_id
    own = target_id if not example.request else query_id(target_id, example.request)
    return replace(example, target_id=target_id, example_id=own)


def _label(entry: _LabelledCall) -> str:
    return (entry.label or "").strip("$")


def _outputs_in_use(
    calls: Sequence[Call], answer: "Value | msgspec.UnsetType"
) -> dict[int, list[str]]:
    answer_arguments = () if answer is msgspec.UNSET else (Argument(ANSWER, answer),)
    return used_outputs((*calls, Call("", ANSWER, answer_arguments)))


def _values(entry: _LabelledCall, labels: Labels) -> dict[str, Value]:
    return {name: labels.value(plain_of(raw)) for name, raw in entry.arguments.items()}


def _call(
    name: str,
    arguments: Mapping[str, Value],
    definition: ApiDefinition | None,
    returns: tuple[str, ...],
) -> Call:
    app, api = split_name(name)
    known_id = "" if definition is None else definition.definition_id
    return Call(app, api, arguments_of(arguments), known_id, returns)


def _findings(labels: Labels) -> tuple[Finding, ...]:
    findings = [Finding("repeated_label", label) for label in labels.repeated]
    findings += [Finding("undefined_label", label) for label in labels.undefined]
    return tuple(findings)
