"""What a prediction is worth where AppBench's own counting is rebuilt, faults included.

Of the names at most one hit a sample counts, because the lists are gone after the first. A value
passes if it is part of the gold value or the other way round, so an empty one always does.
Arguments are kept by the name of the API, so that of several calls of one API the last decides. A
reference is a text: the name of an output, whichever call gives it, or the value itself. A missing
argument is counted twice. Of a record the data count, whatever its text says. What cannot be read
is dropped, and the denominators shrink.
"""

import re
from collections.abc import Iterable, Sequence

from benchloom.errors import RejectedInputError
from benchloom.evaluate.benchmark import RIGHT, Judged
from benchloom.evaluate.benchmarks.appbench.names import Names
from benchloom.evaluate.benchmarks.appbench.raw import CONTRADICTION
from benchloom.evaluate.benchmarks.appbench.right import counts_of
from benchloom.examples import Argument, Call, Finding, Ref
from benchloom.formats.appbench import supplied

_CALL = re.compile(r"(?<!\w)(\w{1,400}+)\(")
_HEADER = re.compile(r"(?m)^[^\n:\[\]]{1,200}+:")


def judge_calls(predicted: Sequence[Call], gold: Sequence[Call]) -> Judged:
    """Judge calls beside the gold ones; both have their names in one spelling."""
    counts = counts_of(predicted, gold)
    counts["app_hits"] = min(counts["app_hits"], 1.0)
    counts["api_hits"] = min(counts["api_hits"], 1.0)
    found = tuple(_faults(predicted, gold))
    missing = sum(one.kind == "missing_argument" for one in found)
    is_right = bool(counts["equal_apps"] and counts["equal_apis"] and not found)
    counts |= {"success": float(is_right), "scored": 1.0, "missing_arguments": 2.0 * missing}
    if is_right:
        return Judged(RIGHT, counts)
    return Judged(_outcome(predicted, counts), counts, found)


def _outcome(predicted: Sequence[Call], counts: dict[str, float]) -> str:
    if not predicted:
        return "empty"
    if not counts["equal_apps"]:
        return "wrong_apps"
    return "wrong_arguments" if counts["equal_apis"] else "wrong_apis"


def _faults(predicted: Sequence[Call], gold: Sequence[Call]) -> Iterable[Finding]:
    """What is wrong with the last call of each API, by its name."""
    ours = {call.api: call for call in predicted}
    theirs = {call.api: call for call in gold}
    for api in sorted(theirs.keys() - ours.keys()):
        yield Finding("missing_call", api)
    for api in sorted(ours.keys() - theirs.keys()):
        yield Finding("extra_call", api[:200])
    for api in sorted(ours.keys() & theirs.keys()):
        given = {one.name: one for one in ours[api].arguments if _is_in_data(one)}
        wanted = {one.name: one for one in theirs[api].arguments}
        for name in sorted(wanted.keys() - given.keys()):
            yield Finding("missing_argument", f"{api}.{name}")
        for name in sorted(given.keys() - wanted.keys()):
            yield Finding("extra_argument", f"{api}.{name}"[:200])
        for name in sorted(given.keys() & wanted.keys()):
            if not _passes(given[name], wanted[name]):
                yield Finding("wrong_value", f"{api}.{name}")


def _is_in_data(argument: Argument) -> bool:
    return argument.value != CONTRADICTION or argument.supplied is not None


def _passes(given: Argument, wanted: Argument) -> bool:
    """Whether a text of one is part of a text of the other."""
    return any(
        ours in theirs or theirs in ours for ours in _texts(given) for theirs in _texts(wanted)
    )


def _texts(argument: Argument) -> set[str]:
    """The value, and of a reference the name of the output, too."""
    value = argument.value
    named = {value.output} if isinstance(value, Ref) and value.output else set()
    told = {supplied(argument)} if argument.supplied is not None or not named else set()
    return named | told


def text_calls(text: str, names: Names) -> tuple[Call, ...]:
    """The calls of a text as the published pattern finds them.

    A call ends at the first closing bracket, arguments are split at commas, names at the first
    underscore.

    Raises:
        RejectedInputError: the published reader raises or finds nothing.
    """
    found: list[Call] = []
    app, at = "", 0
    while (begun := _CALL.search(text, at)) and (end := text.find(")", begun.end())) >= 0:
        headers = _HEADER.findall(text[at : begun.start()])
        app, at = (headers[-1][:-1].strip() if headers else app), end + 1
        _, mark, behind = begun[1].partition("_")
        shown = text[begun.end() : end]
        arguments = tuple(map(_argument, shown.split(", "))) if shown.strip() else ()
        found.append(Call(*names.call(app, behind if mark else begun[1]), arguments))
    if not found:
        raise RejectedInputError("no_call", "no call in the text")
    return tuple(found)


def _argument(piece: str) -> Argument:
    parts = piece.split("=")
    if len(parts) != 2:
        raise RejectedInputError("no_argument", "an argument that is not one name and one value")
    name, value = (part.strip() for part in parts)
    return Argument(name.removeprefix("#"), value.strip("'\""))
