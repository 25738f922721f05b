"""Judge an output as AppBench's scorer does, including its faults.

The published reader expects lines `app: [call]`. It skips unreadable lines, but the sample counts
in every denominator. A call ends at the first closing bracket, its arguments are split at ", ", and
the API's name is the part after the first underscore.

At most one matching name per sample counts, because the scorer's iterators are exhausted after the
first match. Arguments are stored by API, so only the last of several calls of one API counts. Only
the arguments of gold are checked; extra arguments are ignored. A value is accepted if it is
contained in the gold value or contains it, so an empty value is always accepted. The value in the
user's request for an argument of this name, and values of earlier arguments of this name, are
accepted in the same way. A missing argument is counted twice.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from benchloom.core.errors import RejectedInputError
from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmark import RIGHT, UNPARSEABLE, Judged
from benchloom.evaluate.benchmarks.appbench.names import Names
from benchloom.evaluate.benchmarks.appbench.outputs import calls_of
from benchloom.evaluate.benchmarks.appbench.written_calls import call_texts
from benchloom.evaluate.json_texts import MAX_TEXT
from benchloom.exchange.examples import Call, Finding, Ref
from benchloom.exchange.formats.appbench import api_name, app_name, argument_text, published_calls

_LINE = re.compile(r"(\w++):\s*+(\[.*\])")
_CALL = re.compile(r"(?<!\w)\w++\s*+=\s*+(\w++)\(([^)]*+)\)")
_BARE_CALLS = (
    re.compile(r"=\s*+([a-zA-Z0-9]*+)_[a-zA-Z0-9]*+\s*+\("),
    re.compile(r"=\s*+([a-zA-Z0-9]*+\.[a-zA-Z0-9]*+)\s*+\("),
)
_CITY_ALIASES = {
    "la": "los angeles",
    "lax": "los angeles",
    "ciudad de mexico": "mexico city'",
    "nyc": "new york",
    "sd": "san diego",
    "sfo": "san francisco",
    "chi-town": "chicago",
}
"""The abbreviations that the published comparison expands, one with a stray quotation mark."""


class _OutputTexts(msgspec.Struct, frozen=True):
    apps: Sequence[str]
    texts: Sequence[str]


class _Call(msgspec.Struct, frozen=True):
    """A call in a text; its name is empty if the text contains no call."""

    api: str
    arguments: Mapping[str, str]


class _Spellings:
    def __init__(self, calls: Sequence[Call]) -> None:
        self._apps = {call.app.lower(): app_name(call.app).lower() for call in calls}
        self._apis = {call.api.lower(): api_name(call.app, call.api).lower() for call in calls}
        self._prefixes = [f"{app}_" for app in self._apps if "_" in app]

    def app(self, name: str) -> str:
        lower = name.lower()
        return self._apps.get(lower, lower)

    def api(self, written: str) -> str:
        """Return the API's name that the published reader derives from `app_api`."""
        lower = written.lower()
        own = next((prefix for prefix in self._prefixes if lower.startswith(prefix)), None)
        if own is not None:
            name = lower.removeprefix(own)
        else:
            name = lower.split("_")[1] if "_" in lower else lower
        return self._apis.get(name, name)


def judge(gold: Sequence[Call], output: Plain, names: Names) -> Judged:
    """Judge an output against the gold calls under the rule set `published`."""
    spellings = _Spellings(gold)
    problem = ""
    try:
        written = _read_output(output, names)
    except RejectedInputError as error:
        written, problem = _OutputTexts((), ()), f"{error.reason}: {error.message}"[:300]
    gold_calls = [_parse_call(text, spellings) for text in _texts_of(gold)]
    predicted = [_parse_call(text, spellings) for text in written.texts]
    counts = _names(
        [spellings.app(app) for app in written.apps], [spellings.app(call.app) for call in gold]
    )
    apis = _names([call.api for call in predicted], [call.api for call in gold_calls])
    counts |= {name.replace("app", "api"): value for name, value in apis.items()}
    findings = tuple(_faults(predicted, gold_calls, _user_values(gold)))
    missing = sum(finding.kind == "missing_argument" for finding in findings)
    same_names = counts["equal_apps"] and counts["equal_apis"]
    is_right = bool(same_names and not findings)
    counts |= {"success": float(is_right), "missing_arguments": 2.0 * missing}
    if is_right:
        return Judged(RIGHT, counts)
    if not written.apps and not written.texts and not _is_empty(output):
        return Judged(UNPARSEABLE, counts, (Finding("unreadable", problem or "no call"),))
    return Judged(_outcome(predicted, counts), counts, findings)


def _is_empty(output: Plain) -> bool:
    if isinstance(output, str):
        return output.strip(" \t\r\n`") in {"[]", "[ ]"}
    return isinstance(output, list | dict)


def _outcome(predicted: Sequence[_Call], counts: Mapping[str, float]) -> str:
    if not predicted:
        return "empty"
    if not counts["equal_apps"]:
        return "wrong_apps"
    return "wrong_arguments" if counts["equal_apis"] else "wrong_apis"


def _names(predicted: Sequence[str], gold: Sequence[str]) -> dict[str, float]:
    return {
        "app_hits": float(not set(predicted).isdisjoint(gold)),
        "predicted_apps": float(len(predicted)),
        "gold_apps": float(len(gold)),
        "equal_apps": float(bool(predicted) and sorted(predicted) == sorted(gold)),
    }


def _faults(
    predicted: Sequence[_Call], gold: Sequence[_Call], user: Mapping[str, str]
) -> Iterator[Finding]:
    last = {call.api: call.arguments for call in predicted}
    gold_arguments = {call.api: call.arguments for call in gold}
    earlier: dict[str, str] = {}
    for api, arguments in gold_arguments.items():
        if api not in last:
            yield Finding("missing_call", api)
            continue
        for name, gold_value in arguments.items():
            if name not in last[api]:
                yield Finding("missing_argument", f"{api}.{name}")
                continue
            value = last[api][name].lower()
            bare = value.strip("'")
            if bare in _CITY_ALIASES:
                value = f"'{_CITY_ALIASES[bare]}'"
            if _passes(gold_value.lower(), value) or _passes(user.get(name), value):
                earlier.setdefault(name, value)
            elif not _passes(earlier.get(name), value):
                yield Finding("wrong_value", f"{api}.{name}")
    for api in last:
        if api not in gold_arguments:
            yield Finding("extra_call", api[:200])


def _passes(gold_value: str | None, value: str) -> bool:
    if gold_value is None:
        return False
    left, right = gold_value.strip("'"), value.strip("'")
    return left in right or right in left


def _user_values(gold: Sequence[Call]) -> dict[str, str]:
    return {
        argument.name: argument_text(argument).lower()
        for call in gold
        for argument in call.arguments
        if not isinstance(argument.value, Ref)
    }


def _texts_of(calls: Sequence[Call]) -> list[str]:
    renamed_calls = published_calls(calls)
    return call_texts(
        [replace(call, returns=call.returns or ("result",)) for call in renamed_calls]
    )


def _read_output(output: Plain, names: Names) -> _OutputTexts:
    if isinstance(output, str):
        return _lines(output[:MAX_TEXT])
    if isinstance(output, dict):
        apps, texts = output.get("used_app"), output.get("api_results")
        if isinstance(apps, list) and isinstance(texts, list) and texts:
            return _OutputTexts(
                [app for app in apps if isinstance(app, str) and app],
                [text for text in texts if isinstance(text, str)],
            )
    calls = calls_of(output, names)
    return _OutputTexts([call.app for call in calls if call.app], _texts_of(calls))


def _lines(text: str) -> _OutputTexts:
    apps: list[str] = []
    texts: list[str] = []
    for line in text.split("\n"):
        app, call_text = "", None
        matched = _LINE.match(line)
        if matched:
            app, call_text = matched[1], matched[2]
        elif ":" in line:
            if "[" not in line or "]" not in line:
                continue
            app, _, call_text = line.partition(":")
            app = app.strip()
        else:
            bare_match = next(
                (candidate for search in _BARE_CALLS if (candidate := search.search(line))), None
            )
            app = "" if bare_match is None else bare_match[1].strip()
        if app:
            apps.append(app)
        if call_text is not None:
            texts.append(call_text.replace("[", "").replace("]", "").strip())
    return _OutputTexts(apps, texts)


def _parse_call(text: str, spellings: _Spellings) -> _Call:
    text = text.replace("\\", "")
    call = _CALL.search(text, 0, text.rfind(")") + 1)
    if call is None:
        return _Call("", {})
    arguments: dict[str, str] = {}
    name = ""
    for piece in call[2].split(", "):
        value = ""
        if "=" in piece:
            parts = piece.split("=")
            if len(parts) != 2:
                continue
            name, value = parts[0].strip().lower().removeprefix("#"), parts[1].strip()
        elif not name:
            continue
        arguments[name] = value
    return _Call(spellings.api(call[1]), arguments)
