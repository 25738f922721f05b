"""Predictions as published records: data in `used_app` and `used_api`, references in a text.

`api_results` tells which values are references. Where data and text both tell a value and differ,
no value is right: what was meant is not known.
"""

import re
from collections import defaultdict, deque
from collections.abc import Mapping
from typing import Any

import msgspec

from benchloom.errors import RejectedInputError
from benchloom.evaluate.benchmarks.appbench.equality import literal_text
from benchloom.evaluate.benchmarks.appbench.names import Names
from benchloom.evaluate.benchmarks.appbench.raw import RawArgument, RawCall
from benchloom.evaluate.benchmarks.appbench.texts import calls_in
from benchloom.foreign.records import faults
from benchloom.foreign.result_texts import bare_names
from benchloom.records.values import Plain

FIELDS = ("used_app", "used_api", "api_results")

_LABEL = re.compile(r"[^\s'\",()\[\]{}]+")


class _Record(msgspec.Struct, frozen=True):
    used_app: list[str] = []
    used_api: list[dict[str, dict[str, Any]]] | None = None
    result_arguments: list[list[str]] = []
    api_results: list[str] = []


def raw_calls(output: Mapping[str, Plain], names: Names) -> list[RawCall]:
    """The calls of a record; of lists that differ in length the longer one counts.

    Raises:
        RejectedInputError: it is of another shape.
    """
    with faults():
        record = msgspec.convert(output, _Record)
    if record.used_api is None:
        return _of_texts(record, names)
    if not all(record.used_api):
        raise RejectedInputError("wrong_shape", "an entry of used_api is no call")
    named = [one for entry in record.used_api for one in entry.items()]
    places = [place for place, entry in enumerate(record.used_api) for _ in entry]
    apps = record.used_app
    if len(apps) == len(record.used_api) < len(named):
        apps = [apps[place] for place in places]
    count = max(len(apps), len(named))
    apps = [*apps, *[""] * (count - len(apps))]
    labels = record.result_arguments if len(record.result_arguments) == count else None
    texts: defaultdict[str, deque[str]] = defaultdict(deque)
    for told in record.api_results:
        texts[told.partition("(")[0].rpartition("=")[2].strip()].append(told)
    found = []
    for place, app in enumerate(apps):
        if place >= len(named):
            found.append(RawCall(app, "", ()))
            continue
        api, values = named[place]
        arguments = tuple(RawArgument(name, _text(value)) for name, value in values.items())
        data = RawCall(app, api, arguments, tuple(labels[place]) if labels else ())
        if texts[api]:
            data = _with_text(data, texts[api].popleft(), names)
        elif labels is None:
            data = msgspec.structs.replace(data, labels=names.returns(app, api) or ())
        found.append(data)
    return found


def _text(value: Plain) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _of_texts(record: _Record, names: Names) -> list[RawCall]:
    """The calls of a record without data: those of its texts, below its apps."""
    if not record.api_results:
        return [RawCall(app, "", ()) for app in record.used_app]
    told = calls_in("\n".join(f"[{line}]" for line in record.api_results), names)
    apps = [*record.used_app, *[""] * (len(told) - len(record.used_app))]
    return [
        msgspec.structs.replace(one, app=app or one.app)
        for app, one in zip(apps, told, strict=False)
    ]


def _with_text(data: RawCall, text: str, names: Names) -> RawCall:
    """A call of its data, with the references that its text tells."""
    values = {one.name: str(one.value) for one in data.arguments}
    labels = data.labels
    bare = bare_names(text, data.api, labels, values)
    differ: set[str] = set()
    if bare is None or not all(map(_LABEL.fullmatch, bare.values())):
        told, shown = _told(text, names)
        labels = shown or labels
        bare = {name: str(one.value) for name, one in told.items() if one.is_bare}
        literals = {name: str(one.value) for name, one in told.items() if not one.is_bare}
        differ = told.keys() ^ values.keys()
        both = literals.keys() & values
        differ |= {n for n in both if literal_text(literals[n]) != literal_text(values[n])}
    arguments = [
        RawArgument(name, value, label=bare.get(name, ""), is_contradicted=name in differ)
        for name, value in values.items()
    ]
    arguments += (
        RawArgument(name, None, is_contradicted=True) for name in sorted(differ - values.keys())
    )
    return msgspec.structs.replace(data, arguments=tuple(arguments), labels=labels)


def _told(text: str, names: Names) -> tuple[dict[str, RawArgument], tuple[str, ...]]:
    """The arguments and labels that the text of one call tells."""
    told = calls_in(f"[{text}]", names)
    if len(told) != 1:
        raise RejectedInputError("wrong_shape", "a text of api_results is not one call")
    return {one.name: one for one in told[0].arguments}, told[0].labels
