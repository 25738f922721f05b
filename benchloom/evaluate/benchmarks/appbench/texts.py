"""Read calls in a model's text, such as `App: [r1, r2 = app_api(#k='v', #l=r)]`, in linear time.

Only calls in square brackets count; text around the brackets is ignored. If the text has no square
brackets, every call in it counts. Values may contain commas, brackets, equals signs and quotation
marks. If a call begins but cannot be read, the whole text is unreadable, because a part of the
answer is unknown.
"""

import re
from collections.abc import Iterator

from benchloom.core.errors import RejectedInputError
from benchloom.evaluate.benchmarks.appbench.names import Names
from benchloom.evaluate.benchmarks.appbench.raw import RawArgument, RawCall
from benchloom.evaluate.json_texts import without_thoughts
from benchloom.exchange.foreign.literals import LiteralReader

_SIGNS = r"[^\s()\[\]{}'\"=,#:`]"
_NAME = rf"{_SIGNS}{{1,200}}+"
_CALL = re.compile(rf"(?<!{_SIGNS})({_NAME})[ \t]*+\((?=\s*+(?:\)|#|{_NAME}\s*+=))")
_PARAMETER = re.compile(rf"#?\s*+({_NAME})\s*+=\s*+")
_NEXT = rf"(?:,\s*+#?|#)\s*+{_NAME}\s*+="
_CLOSED = r"\)(?=[\s\],;`\"'#.\-/]|\Z)"
_BEHIND = re.compile(rf"\s*+(?:{_NEXT}|{_CLOSED})")
"""Matches the text that must follow a value: the end of the call, or another argument."""
_WORD = re.compile(rf"[^\s,()'\"#=]++(?=\s*+(?:\)|{_NEXT}))")
_BETWEEN = re.compile(r"[\s,;\"'`]*+")
_LABEL = re.compile(rf"{_NAME}\Z")
_HEADER = re.compile(r"[\s>*+#\-`\"']*+(?:\d+[.)]\s*+|(?!\d+[.)]))[*`\"']*+([\w.\-]{1,200})")
_MARKUP = " \t\n\r*`\"'"
NO_APPS = {
    "answer", "api", "apis", "app", "apps", "assistant", "call", "calls", "final", "function",
    "functions", "output", "outputs", "plan", "response", "result", "results", "sequence",
    "solution", "solutions", "step", "steps",
}  # fmt: skip
"""Words before a colon that introduce an answer (`Answer:`) and are not the name of an app."""


def calls_in(text: str, names: Names) -> list[RawCall]:
    """Return the calls of a text in order.

    Raises RejectedInputError if there is no call, or a call cannot be read.
    """
    reader = _Reader(without_thoughts(text), names)
    parsed_calls = list(reader.calls(listed=True)) or list(reader.calls(listed=False))
    if not parsed_calls:
        raise RejectedInputError("no_call", "the text contains no call")
    return parsed_calls


class _Reader(LiteralReader):
    def __init__(self, text: str, names: Names) -> None:
        super().__init__(text)
        self._names = names

    def calls(self, *, listed: bool) -> Iterator[RawCall]:
        """Yield the calls of the text; if `listed` is true, only calls in square brackets."""
        at, app, inside, pending = 0, None, False, False
        while begun := _CALL.search(self.text, at):
            labels, before = _labels(self.text[at : begun.start()])
            opens = before.endswith("[")
            inside = opens or (inside and not before)
            if pending and (opens or not inside):
                break
            header = _header(before[:-1] if opens else before)
            app = header or (None if listed and opens else app)
            if listed and not inside:
                at = begun.end()
                continue
            arguments, at = self._arguments(begun.end())
            yield RawCall(*self._names.split(begun[1], app), tuple(arguments), labels)
            between = _BETWEEN.match(self.text, at)
            at = between.end() if between else at
            inside = inside and self.text[at : at + 1] != "]"
            pending = inside and between is not None and "," in between[0]
        if pending or _is_open(self.text[at:]):
            raise RejectedInputError(
                "open_list", f"the list of calls has no call after position {at}"
            )

    def _arguments(self, at: int) -> tuple[list[RawArgument], int]:
        arguments: list[RawArgument] = []
        at = self.skip(at)
        while self.text[at : at + 1] != ")":
            parameter_match = _PARAMETER.match(self.text, at)
            if parameter_match is None:
                raise RejectedInputError(
                    "no_argument", f"expected the name of an argument at position {at}"
                )
            argument, at = self._argument(parameter_match[1], parameter_match.end())
            arguments.append(argument)
            at = self.skip(at)
            if self.text[at : at + 1] == ",":
                at = self.skip(at + 1)
            elif self.text[at : at + 1] not in {")", "#"}:
                raise RejectedInputError("open_call", f"expected a comma or ) at position {at}")
        return arguments, at + 1

    def _argument(self, name: str, at: int) -> tuple[RawArgument, int]:
        if self.text[at : at + 1] in {"'", '"'}:
            value, end = self.value(at, _BEHIND)
            return RawArgument(name, str(value)), end
        word_match = _WORD.match(self.text, at)
        if word_match:
            return RawArgument(name, word_match[0], is_bare=True), word_match.end()
        behind = _BEHIND.search(self.text, at)
        bare_text = self.text[at : behind.start()].strip() if behind else ""
        if behind is None or not bare_text:
            raise RejectedInputError("no_value", f"expected a value at position {at}")
        return RawArgument(name, bare_text, is_bare=True), behind.start()


def _is_open(rest: str) -> bool:
    """Whether the text after the last call begins another list of calls that is cut off."""
    begun = rest.rfind("[")
    return begun > rest.rfind("]") and _header(rest[:begun]) is not None


def _labels(before: str) -> tuple[tuple[str, ...], str]:
    before = before.rstrip(_MARKUP + ",")
    if not before.endswith("="):
        return (), before
    text = before[:-1]
    start = 1 + max(text.rfind(sign) for sign in "[]:;\n({")
    labels = tuple(label.strip(_MARKUP) for label in text[start:].split(","))
    rest = text[:start].rstrip(_MARKUP + ",")
    return (labels if all(map(_LABEL.match, labels)) else ()), rest


def _header(before: str) -> str | None:
    before = before.rstrip(_MARKUP)
    if not before.endswith(":"):
        return None
    line = before[-300:-1].rstrip(_MARKUP)
    header_match = _HEADER.fullmatch(line, 1 + max(line.rfind(sign) for sign in "\n];{,"))
    return header_match[1] if header_match and header_match[1].casefold() not in NO_APPS else None
