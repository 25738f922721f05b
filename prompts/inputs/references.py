"""Rewrite references inside a workflow's lines in the words of a prompt.

The parser counts every action, comments too, and uses the names in files. A writer sees lines
without comments, and must be able to follow a reference to its line.
"""

import re
from collections.abc import Mapping

_RESULT = re.compile(r"\[result of step (\d{1,5}): ")
_PRODUCER = re.compile(r"\(of step (\d{1,5})\)")
_NAMED = re.compile(r"(\[result of line \d{1,5}: )([a-z][\w.]*)(?=[\].])")
_COERCED = re.compile(r"\.as\(\w{1,80}\)")
_NEEDS_INPUT = re.compile(r"\[needs input: (\w+)")
_BOX = re.compile(r"(?<=: )\{(?:[^{}]|\{[^{}]{0,400}\}){0,400}\}")
_BOXED = re.compile(r"\b(?:BundleIdentifier|Identifier|WF[A-Z]\w{1,60}|fileLocation): ")
_BOX_NAME = re.compile(
    r'\b(?:Name|displayName|DisplayString|WFNSUnitSymbol): ("(?:[^"\\]|\\.){1,80}")'
)
_RUNTIME_WORDS = {
    "Ask": "asked each time",
    "Clipboard": "what is on the clipboard",
    "CurrentDate": "the current date",
    "DeviceDetails": "details of this device",
    "ExtensionInput": "what is shared with it",
}


def plain_references(line: str, places: Mapping[int, int], titles: Mapping[int, str]) -> str:
    """Rewrite a line's references to name visible lines and the titles of their actions.

    `places` and `titles` map each action, by the parser's number, to its visible line and its
    title. A reference to the result of an action that is not shown has no number.
    """

    def result(match: re.Match[str]) -> str:
        line_number = places.get(int(match[1]))
        return "[result: " if line_number is None else f"[result of line {line_number}: "

    def producer(match: re.Match[str]) -> str:
        line_number = places.get(int(match[1]))
        return match[0] if line_number is None else f"(of line {line_number})"

    named = {
        line_number: titles[number] for number, line_number in places.items() if number in titles
    }

    def title(match: re.Match[str]) -> str:
        line_number = int(match[1].removeprefix("[result of line ").removesuffix(": "))
        return f"{match[1]}{named.get(line_number, match[2])}"

    line = _PRODUCER.sub(producer, _RESULT.sub(result, line))
    line = _BOX.sub(_unboxed, _COERCED.sub("", _NAMED.sub(title, line)))
    return _NEEDS_INPUT.sub(
        lambda match: f"[needs input: {_RUNTIME_WORDS.get(match[1], match[1])}", line
    )


def _unboxed(box: re.Match[str]) -> str:
    """Return the name of an app, file or unit record; other records stay unchanged."""
    name = _BOX_NAME.search(box[0]) if _BOXED.search(box[0]) else None
    return box[0] if name is None else name[1]
