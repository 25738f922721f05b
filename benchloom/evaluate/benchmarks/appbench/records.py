"""Read predictions in the form of AppBench's published records.

The fields `used_app` and `used_api` contain the calls; the texts in `api_results` show which values
are references. If calls and texts contain different values for an argument, it is wrong, because
the intended value is unknown.
"""

import re
from collections import defaultdict, deque
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from benchloom.core.errors import RejectedInputError
from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmarks.appbench.equality import literal_text
from benchloom.evaluate.benchmarks.appbench.names import Names
from benchloom.evaluate.benchmarks.appbench.raw import RawArgument, RawCall
from benchloom.evaluate.benchmarks.appbench.texts import calls_in
from benchloom.exchange.foreign.records import faults
from benchloom.exchange.foreign.text_values import as_text
from benchloom.exchange.formats.appbench import bare_names

FIELDS = ("used_app", "used_api", "api_results")
_LABEL = re.compile(r"[^\s'\",()\[\]{}]+")


class _Record(msgspec.Struct, frozen=True):
    used_app: list[str] = []
    used_api: list[dict[str, dict[str, Any]]] | None = None
    result_arguments: list[list[str]] = []
    api_results: list[str] = []


def raw_calls(output: Mapping[str, Plain], names: Names) -> list[RawCall]:
    """Return the calls in a published record.

    If the lists of apps and calls have different lengths, the shorter list is filled with empty
    names.

    Raises RejectedInputError if the record has another shape.
    """
    with faults():
        record = msgspec.convert(output, _Record)
    if record.used_api is None:
        return _of_texts(record, names)
    if not all(record.used_api):
        raise RejectedInputError("wrong_shape", "an entry of used_api is not a call")
    api_pairs = [pair for entry in record.used_api for pair in entry.items()]
    indices = [position for position, entry in enumerate(record.used_api) for _ in entry]
    apps = record.used_app
    if len(apps) == len(record.used_api) < len(api_pairs):
        apps = [apps[position] for position in indices]
    count = max(len(apps), len(api_pairs))
    apps = [*apps, *[""] * (count - len(apps))]
    labels = record.result_arguments if len(record.result_arguments) == count else None
    texts: defaultdict[str, deque[str]] = defaultdict(deque)
    for text in record.api_results:
        texts[text.partition("(")[0].rpartition("=")[2].strip()].append(text)
    calls = []
    for index, app in enumerate(apps):
        if index >= len(api_pairs):
            calls.append(RawCall(app, "", ()))
            continue
        api, values = api_pairs[index]
        arguments = tuple(RawArgument(name, as_text(value)) for name, value in values.items())
        data = RawCall(app, api, arguments, tuple(labels[index]) if labels else ())
        if texts[api]:
            data = _with_text(data, texts[api].popleft(), names)
        elif labels is None:
            data = replace(data, labels=names.returns(app, api) or ())
        calls.append(data)
    return calls


def _of_texts(record: _Record, names: Names) -> list[RawCall]:
    if not record.api_results:
        return [RawCall(app, "", ()) for app in record.used_app]
    calls = calls_in("\n".join(f"[{line}]" for line in record.api_results), names)
    apps = [*record.used_app, *[""] * (len(calls) - len(record.used_app))]
    return [replace(call, app=app or call.app) for app, call in zip(apps, calls, strict=False)]


def _with_text(data: RawCall, text: str, names: Names) -> RawCall:
    values = {argument.name: str(argument.value) for argument in data.arguments}
    labels = data.labels
    bare = bare_names(text, data.api, labels, values)
    differ: set[str] = set()
    if bare is None or not all(map(_LABEL.fullmatch, bare.values())):
        text_arguments, text_labels = _only_call(text, names)
        labels = text_labels or labels
        bare = {
            name: str(argument.value)
            for name, argument in text_arguments.items()
            if argument.is_bare
        }
        literals = {
            name: str(argument.value)
            for name, argument in text_arguments.items()
            if not argument.is_bare
        }
        differ = text_arguments.keys() ^ values.keys()
        both = literals.keys() & values
        differ |= {n for n in both if literal_text(literals[n]) != literal_text(values[n])}
    arguments = [
        RawArgument(name, value, label=bare.get(name, ""), is_contradicted=name in differ)
        for name, value in values.items()
    ]
    arguments += (
        RawArgument(name, None, is_contradicted=True) for name in sorted(differ - values.keys())
    )
    return replace(data, arguments=tuple(arguments), labels=labels)


def _only_call(text: str, names: Names) -> tuple[dict[str, RawArgument], tuple[str, ...]]:
    calls = calls_in(f"[{text}]", names)
    if len(calls) != 1:
        raise RejectedInputError("wrong_shape", "a text in api_results is not a single call")
    return {argument.name: argument for argument in calls[0].arguments}, calls[0].labels
