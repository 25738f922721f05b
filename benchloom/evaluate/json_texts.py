"""Find the JSON list or object in a model's text, which may also contain prose or a code fence.

Three candidates are tried in this order: the whole text, the last fenced block, and the last
outermost pair of brackets. If several values are acceptable, the last one counts, because models
reason first and answer last. Text before the last `</think>` is ignored. The time is linear in the
length of the text.
"""

import re
from collections.abc import Callable, Iterator

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.records.values import Plain, refuse_deep
from benchloom.exchange.foreign.literals import literal_of
from benchloom.exchange.foreign.records import faults

MAX_TEXT = 1024 * 1024  # maximum characters of a text that is read
_MAX_PAIRS = 1000  # maximum fenced blocks, and pairs of brackets, that are tried, from the last
_BRACKETS = re.compile(r"[\[{(]")
_TOLERATED = {"json_word", "line_break", "tuple"}
_FENCE = "```"
_LANGUAGE = re.compile(r"\s*+(?:[A-Za-z0-9_+.-]{1,20}+\s*+)?(?=[\[{])")
_SIGN = re.compile(r"[\[\]{}\"',:]")
_TEXTS = {
    '"': re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL),
    "'": re.compile(r"'(?:[^'\\]++|\\.)*+'", re.DOTALL),
}
_OPENING = {"]": "[", "}": "{"}
_BEFORE_TEXT = "[{,:"


def without_thoughts(text: str) -> str:
    """Return the text after the last `</think>`, or the whole text if it has no such tag."""
    return text.rpartition("</think>")[2]


def calls_nothing(output: Plain) -> bool:
    """Whether an output contains no call: it is empty, an empty list, or a text without brackets.

    If no call is expected, such an output is right, for example a sentence that declines the
    request.
    """
    if isinstance(output, str):
        return _BRACKETS.search(without_thoughts(output)) is None
    return output is None or output == []


def _is_structure(value: Plain) -> bool:
    return isinstance(value, list | dict)


def is_object(value: Plain) -> bool:
    """Whether a decoded value is a JSON object."""
    return isinstance(value, dict)


def json_in(text: str, predicate: Callable[[Plain], bool] = _is_structure) -> Plain:
    """Return the last JSON or Python list or object in a text for which `predicate` is true.

    Raises:
        RejectedInputError: with the reason `no_json` (there is no list or object), `bad_json` (no
            list or object can be read), `unwanted` (no value meets `predicate`), `too_deep`
            (nested deeper than 64) or `too_large`.
    """
    if len(text) > MAX_TEXT:
        raise RejectedInputError("too_large", f"the output is longer than {MAX_TEXT} characters")
    answer = without_thoughts(text).strip()
    fault = RejectedInputError("no_json", "the output has no list or object")
    for candidate in _candidates(answer):
        try:
            value = _value(candidate)
        except RejectedInputError as error:
            if fault.reason not in {"too_deep", "unwanted"}:
                fault = error
            continue
        if predicate(value):
            return value
        fault = RejectedInputError("unwanted", "the value does not have the expected shape")
    raise fault


def _candidates(answer: str) -> Iterator[str]:
    if answer.startswith(("[", "{")):
        yield answer
    if _FENCE in answer:
        for block in reversed(answer.split(_FENCE)[1::2][-_MAX_PAIRS:]):
            language = _LANGUAGE.match(block)
            if language:
                yield block[language.end() :].strip()
    for start, end in reversed(outermost(answer)[-_MAX_PAIRS:]):
        if end - start < len(answer):
            yield answer[start:end]


def _value(candidate: str) -> Plain:
    try:
        with faults():
            value: Plain = msgspec.json.decode(candidate.encode())
    except UnicodeEncodeError as error:
        raise RejectedInputError(
            "bad_json", "the output contains half of a surrogate pair"
        ) from error
    except RejectedInputError as error:
        if error.reason == "too_deep":
            raise
        value = _literal(candidate)
    refuse_deep(value)
    return value


def _literal(candidate: str) -> Plain:
    try:
        return literal_of(candidate, _TOLERATED)
    except RejectedInputError as error:
        reason = "too_deep" if error.reason == "too_deep" else "bad_json"
        raise RejectedInputError(reason, error.message) from error


def outermost(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each pair of square or curly brackets that is in no other pair.

    Brackets inside quoted texts do not count; a quoted text begins after a bracket, comma or colon.
    Unmatched brackets are skipped.
    """
    stack: list[tuple[str, int]] = []
    unclosed = {"[": 0, "{": 0}
    open_marks: set[str] = set()
    pairs: list[tuple[int, int]] = []
    before, before_end, at = "", 0, 0
    while sign := _SIGN.search(text, at):
        mark, start, at = sign[0], sign.start(), sign.end()
        if mark in _TEXTS:
            behind = stack and before and not text[before_end:start].strip()
            # If one search reaches the end of the text, later searches would too.
            if behind and mark not in open_marks:
                whole = _TEXTS[mark].match(text, start)
                if whole is None:
                    open_marks.add(mark)
                else:
                    at = whole.end()
            before = ""
            continue
        before, before_end = (mark if mark in _BEFORE_TEXT else ""), at
        if mark in unclosed:
            stack.append((mark, start))
            unclosed[mark] += 1
        elif mark in _OPENING and unclosed[_OPENING[mark]]:
            opened = ""
            while opened != _OPENING[mark]:
                opened, opening_index = stack.pop()
                unclosed[opened] -= 1
            while pairs and pairs[-1][0] > opening_index:
                pairs.pop()
            pairs.append((opening_index, at))
    return pairs
