"""The format of AppBench's records: apps, calls, and texts in which calls refer to earlier results.

The reader accepts published records, plain or wrapped with id and sources, and records that
benchloom exported. Records contain no tools. AppBench renames the services of the dataset SGD. So
AppBench's names decide which external definition belongs to a call.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, TypeVar

import msgspec
from msgspec.structs import replace

from benchloom.core.errors import RejectedInputError
from benchloom.core.records import ApiDefinition
from benchloom.core.records.values import refs_in, rendered
from benchloom.exchange.examples import Argument, Call, Example, Finding, Loss, Ref
from benchloom.exchange.foreign.catalogue import stem_of
from benchloom.exchange.foreign.labelled_records import with_ids
from benchloom.exchange.foreign.records import Record, read_each
from benchloom.exchange.foreign.text_values import as_text
from benchloom.exchange.formats.base import LineFormat, Read, Reading, split_of
from benchloom.normalise.plans.assembly import category_of, release_split
from benchloom.storage.inputs import SourceObject

_APPS = {"RentalCars": "Rents", "RideSharing": "Rents", "Messaging": "WeChat"}
_APIS = {("Movies_3", "FindMovies"): "reviewmovies"}
_ENCODER = msgspec.json.Encoder()
T = TypeVar("T")


class Output(msgspec.Struct, frozen=True):
    """The calls of a plan as a record contains them; the first four lists are in call order."""

    used_app: list[str]
    used_api: list[dict[str, dict[str, str]]]  # with the supplied values, even of references
    result_arguments: list[list[str]]
    api_results: list[str]  # only these show references
    middle_arguments: list[str]  # sorted union of all results
    user_aware_arguments: dict[str, str]  # all literals; a later call overwrites an earlier one


class Entry(msgspec.Struct, frozen=True):
    """A record to write, one line of the export; `input` is present only if there is a request."""

    dialogue_id: str
    split: str
    category: str
    output: Output
    input: str | msgspec.UnsetType = msgspec.UNSET


class Dialogue(msgspec.Struct, frozen=True):
    """The dialogue in SGD from which a published record was made."""

    split: str = ""


class Published(msgspec.Struct, frozen=True):
    """A record to read, which AppBench published or benchloom wrote."""

    output: Output
    input: str | None = None
    dialogue_id: str | None = None
    split: str | None = None
    category: str | None = None


class _Wrapped(msgspec.Struct, frozen=True):
    """A published record that is wrapped with an id and a type.

    `sources` contains all dialogues that have this plan.
    """

    record: Published
    id: str | None = None
    type: str | None = None
    sources: tuple[Dialogue | tuple[Dialogue, ...], ...] = ()


_KEYS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_PUBLISHED = msgspec.json.Decoder(Published)
_WRAPPED = msgspec.json.Decoder(_Wrapped)


def app_name(service: str) -> str:
    """Return AppBench's name for a service of SGD; a name of AppBench is returned unchanged."""
    domain = service.split("_", 1)[0]
    return _APPS.get(domain, domain)


def api_name(service: str, method: str) -> str:
    """Return AppBench's name for a service's method; a name of AppBench is returned unchanged."""
    return _APIS.get((service, method)) or method.lower()


def published_calls(calls: Iterable[Call]) -> list[Call]:
    """Return calls with AppBench's names for their apps and APIs."""
    return [
        replace(call, app=app_name(call.app), api=api_name(call.app, call.api)) for call in calls
    ]


def entry_of(example: Example) -> Entry:
    """Convert an example to a record; its category is derived from the apps."""
    calls = published_calls(example.calls)
    output = output_of(calls, [call.returns for call in calls], _output_names(calls))
    request = msgspec.UNSET if example.request is None else example.request
    return Entry(example.source_id, example.split, category_of(output.used_app), output, request)


def output_of(
    calls: Sequence[Call],
    labels: Sequence[Sequence[str]],
    references: Mapping[tuple[int, str], str],
) -> Output:
    """Write calls as the output in an AppBench record.

    `labels` contains the names of each call's outputs. `references` maps an argument, as the call's
    index and the argument's name, to the name of an output. All other arguments are literals.
    """
    literals = {
        argument.name: argument_text(argument)
        for step, call in enumerate(calls)
        for argument in call.arguments
        if (step, argument.name) not in references
    }
    return Output(
        used_app=[call.app for call in calls],
        used_api=[{call.api: {a.name: argument_text(a) for a in call.arguments}} for call in calls],
        result_arguments=[[*names] for names in labels],
        api_results=result_texts(calls, labels, references),
        middle_arguments=sorted({name for names in labels for name in names}),
        user_aware_arguments=literals,
    )


def result_texts(
    calls: Sequence[Call],
    labels: Sequence[Sequence[str]],
    references: Mapping[tuple[int, str], str],
) -> list[str]:
    """Write each call as `results = api(#k='v', #k=output)`, unescaped as in AppBench's records.

    `labels` and `references` are explained in `output_of`.
    """
    texts = []
    for step, (call, names) in enumerate(zip(calls, labels, strict=True)):
        values = (
            references.get((step, argument.name)) or f"'{argument_text(argument)}'"
            for argument in call.arguments
        )
        pairs = zip(call.arguments, values, strict=True)
        arguments = ", ".join(f"#{argument.name}={value}" for argument, value in pairs)
        texts.append(f"{', '.join(names)} = {call.api}({arguments})")
    return texts


def _output_names(calls: Sequence[Call]) -> dict[tuple[int, str], str]:
    return {
        (step, argument.name): argument.value.output
        for step, call in enumerate(calls)
        for argument in call.arguments
        if isinstance(argument.value, Ref) and not argument.value.path and argument.value.output
    }


def argument_text(argument: Argument) -> str:
    """Return an argument's value as text; for a reference, it is the value in the source.

    Without a value in the source, it is the name of the output.
    """
    if argument.supplied is not None:
        return argument.supplied
    return as_text(rendered(argument.value, lambda ref: ref.output or ""))


def bare_names(
    text: str, api: str, returns: Sequence[str], supplied: Mapping[str, str]
) -> dict[str, str] | None:
    """Return the arguments that are references in a call's text, with the names of the outputs.

    Returns None if the text and the data of the record differ. Texts contain no escapes, so the
    text is compared with the values in the data, and never split at commas.
    """
    head = f"{', '.join(returns)} = {api}("
    if not text.startswith(head):
        return None
    rest = text[len(head) :]
    output_names: dict[str, str] = {}
    names = list(supplied)
    for index, name in enumerate(names):
        key = f"{', ' if index else ''}#{name}="
        if not rest.startswith(key):
            return None
        rest = rest[len(key) :]
        quoted = f"'{supplied[name]}'"
        end = f", #{names[index + 1]}=" if index + 1 < len(names) else ")"
        if rest.startswith(quoted + end):
            rest = rest[len(quoted) :]
            continue
        bare, _, _ = rest.partition(end)
        if len(bare) == len(rest) or not bare:
            return None
        output_names[name] = bare
        rest = rest[len(bare) :]
    return output_names if rest == ")" else None


class _AppBench(LineFormat, Reading):
    title = "AppBench's records"
    tables = frozenset({"planning_paths"})
    losses: ClassVar[dict[str, str]] = {
        "answer": "the final answer of the example is not written",
        "no_call": "an example without a call is not written",
        "outcome": "a failed, retried or superseded call is written like a successful call",
        "published_name": "apps and APIs are written by their published names",
        "reference": "a reference is written as an output's name, and means the latest such output",
        "repaired": "faults of the source are not written",
        "reference_mode": "all references are read back as references by name",
        "repeated_argument": "if two arguments have the same name, only the last is written",
        "result": "the result of a call is not written",
        "tools": "tools are not written",
        "turns": "turns of a dialogue other than the request are not written",
        "value": "every value is written as a text",
    }

    def recognises(self, name: str, head: bytes) -> bool:
        return b'"used_app"' in head or b'"used_api"' in head

    def names_of(self, definition: ApiDefinition) -> Iterable[str]:
        service = definition.app or ""
        method = definition.api.removeprefix(f"{service}.")
        return (f"{app_name(service)}.{api_name(service, method)}",)

    def read(self, objects: Sequence[SourceObject]) -> Iterator[Read]:
        return read_each(objects, _example)

    def line(self, example: Example) -> tuple[bytes, tuple[Loss, ...]]:
        if not example.calls:
            return b"", (Loss("no_call", whole=True),)
        entry = entry_of(example)
        return _ENCODER.encode(entry), tuple(dict.fromkeys(_losses(example, entry)))


def _losses(example: Example, entry: Entry) -> Iterator[Loss]:
    if example.answer is not msgspec.UNSET:
        yield Loss("answer")
    if example.turns:
        yield Loss("turns")
    if example.definitions:
        yield Loss("tools")
    if example.findings:
        yield Loss("repaired")
    if example.reference_mode != "name":
        yield Loss("reference_mode")
    again, _ = _calls(entry.output)
    for step, (call, read) in enumerate(zip(example.calls, again, strict=True)):
        location = f"call {step}"
        if (call.app, call.api) != (read.app, read.api):
            yield Loss("published_name", location)
        if call.result is not None:
            yield Loss("result", location)
        if call.outcome != "ok":
            yield Loss("outcome", location)
        if len({argument.name for argument in call.arguments}) != len(call.arguments):
            yield Loss("repeated_argument", location)
            continue
        call_arguments = sorted(call.arguments, key=lambda argument: argument.name)
        for argument, other in zip(call_arguments, read.arguments, strict=True):
            if argument != other:
                takes = next(refs_in(argument.value), None) is not None
                yield Loss("reference" if takes else "value", f"{location}.{argument.name}")


def _example(record: Record) -> Example:
    if "record" in record.decoded(_KEYS):
        wrapped = record.decoded(_WRAPPED)
        inner, own, category = wrapped.record, wrapped.id, wrapped.type
        split = _split(wrapped)
    else:
        inner = record.decoded(_PUBLISHED)
        own, category, split = inner.dialogue_id, inner.category, inner.split or ""
    calls, findings = _calls(inner.output)
    expected_category = category_of(inner.output.used_app) if calls else None
    if category is not None and category != expected_category:
        findings.append(Finding("wrong_category", f"{category} for {expected_category}"))
    return with_ids(
        Example(
            example_id="",
            target_id="",
            source="appbench",
            source_id=own or f"{stem_of(record.source_uri)}/{record.number}",
            source_uri=record.source_uri,
            split=split or split_of(record.source_uri),
            request=inner.input,
            calls=calls,
            reference_mode="name",
            findings=tuple(findings),
        )
    )


def _split(wrapped: _Wrapped) -> str:
    """Return the split of a record that belongs to several dialogues.

    It is `test` if any of them is in test, otherwise `validation` or `train`.
    """
    splits = set()
    for source in wrapped.sources:
        alike = source if isinstance(source, tuple) else (source,)
        splits |= {dialogue.split for dialogue in alike if dialogue.split}
    if len(splits) > 1:
        return release_split(splits) or ""
    return next(iter(splits), "")


def _calls(output: Output) -> tuple[tuple[Call, ...], list[Finding]]:
    if not all(output.used_api):
        raise RejectedInputError("wrong_shape", "an entry of used_api is not a call")
    api_calls = [api_call for entry in output.used_api for api_call in entry.items()]
    indices = [index for index, entry in enumerate(output.used_api) for _ in entry]
    apps = _by_call(output.used_app, indices)
    returned = _by_call(output.result_arguments, indices)
    texts = _by_call(output.api_results, indices)
    calls: list[Call] = []
    findings: list[Finding] = []
    latest: dict[str, int] = {}
    parts = zip(apps, api_calls, returned, texts, strict=True)
    for step, (app, (api, values), returns, text) in enumerate(parts):
        bare = bare_names(text, api, returns, values)
        if bare is None:
            findings.append(Finding("result_text_differs", f"step {step} {app}.{api}"))
        arguments = []
        for name, value in sorted(values.items()):
            output_name = (bare or {}).get(name)
            producer = None if output_name is None else latest.get(output_name)
            if output_name is not None and producer is None:
                findings.append(Finding("undefined_label", f"step {step} {app}.{api}.{name}"))
            if producer is None:
                arguments.append(Argument(name, value))
            else:
                arguments.append(Argument(name, Ref(producer, output_name), value))
        calls.append(Call(app, api, tuple(arguments), returns=tuple(returns)))
        latest.update(dict.fromkeys(returns, step))
    return tuple(calls), findings


def _by_call(elements: Sequence[T], indices: Sequence[int]) -> Sequence[T]:
    """Return an element of `elements` for each call; there is one per call, or one per entry.

    An entry of the record's list `used_api` may contain several calls. `indices` contains, for each
    call, the index of its entry.
    """
    if len(elements) == len(indices):
        return elements
    if not indices or len(elements) != indices[-1] + 1:
        raise RejectedInputError(
            "wrong_shape",
            f"a list of the record has {len(elements)} entries for {len(indices)} calls",
        )
    return [elements[index] for index in indices]


FORMAT = _AppBench()
