"""Read Python literals without running code, in time linear in the length of the text.

Lists, tuples and dicts become lists and objects. Strings with unescaped quotation marks inside, and
strings without quotation marks, are tolerated; they end where the next value can begin. Each
deviation from Python's syntax is counted under a stable word.
"""

import re
from collections import Counter
from collections.abc import Set as AbstractSet

from benchloom.core.errors import RejectedInputError
from benchloom.core.records.values import MAX_DEPTH, Plain

_SPACE = re.compile(r"\s*")
_TEXT = re.compile(r"'(?:[^'\\]++|\\.)*+'|\"(?:[^\"\\]++|\\.)*+\"", re.DOTALL)
_NUMBER = re.compile(r"[-+]?(?:\d{1,4000}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][-+]?\d{1,3})?")
_WORD = re.compile(r"(?:True|False|None|true|false|null)\b")
_WORDS: dict[str, Plain] = {"True": True, "False": False, "None": None}
_WORDS |= {"true": True, "false": False, "null": None}
_ESCAPE = re.compile(
    r"\\(?:([abfnrtv\\'\"])|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|(\n))"
)
_PLAIN = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_CLOSING = {"[": "]", "(": ")", "{": "}"}
INSIDE = re.compile(r"\s*+(?:[,\]})]|\Z)")  # may follow a value inside a list or object
_BEHIND_KEY = re.compile(r"\s*+:")
_BARE_INSIDE = re.compile(r"[^=,\[\](){}:'\"]*+")
LAST_SURROGATE, FIRST_SURROGATE = 0xDFFF, 0xD800


class LiteralReader:
    """Reads values from a text that should contain Python literals.

    `tolerated` counts the deviations from Python's syntax by kind.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.tolerated: Counter[str] = Counter()
        self._open: set[tuple[str, str]] = set()

    def skip(self, at: int) -> int:
        """Return the position after the white space that begins at `at`."""
        pattern_match = _SPACE.match(self.text, at)
        return pattern_match.end() if pattern_match else at

    def value(
        self, at: int, end: re.Pattern[str] = INSIDE, bare: re.Pattern[str] = _BARE_INSIDE
    ) -> tuple[Plain, int]:
        """Return the value that begins at `at`, and the position after the value.

        `end` must match the text after the value; `bare` matches a value without quotation marks.

        Raises RejectedInputError if no value begins there, or it is nested too deeply.
        """
        return self._value(at, end, bare, 0)

    def _value(
        self, at: int, end: re.Pattern[str], bare: re.Pattern[str], depth: int
    ) -> tuple[Plain, int]:
        sign = self.text[at : at + 1]
        if sign in {"'", '"'}:
            return self._read_quoted(at, end)
        if sign and sign in _CLOSING:
            return self._read_nested(at, depth + 1)
        pattern_match = _WORD.match(self.text, at)
        if pattern_match and end.match(self.text, pattern_match.end()):
            if pattern_match[0][0].islower():
                self.tolerated["json_word"] += 1
            return _WORDS[pattern_match[0]], pattern_match.end()
        pattern_match = _NUMBER.match(self.text, at)
        if pattern_match and end.match(self.text, pattern_match.end()):
            return _number(pattern_match[0]), pattern_match.end()
        return self._bare(at, bare)

    def _read_quoted(self, at: int, end: re.Pattern[str]) -> tuple[str, int]:
        """Read a quoted text; it ends at the first quotation mark after which `end` matches."""
        pattern_match = _TEXT.match(self.text, at)
        if pattern_match and end.match(self.text, pattern_match.end()):
            return self._decode(pattern_match[0][1:-1]), pattern_match.end()
        mark = self.text[at]
        close = pattern_match.end() if pattern_match else at + 1
        while True:
            # If one search reaches the end of the text, later searches would too.
            is_open = (mark, end.pattern) in self._open
            close = -1 if is_open else self.text.find(mark, close)
            if close < 0:
                self._open.add((mark, end.pattern))
                raise RejectedInputError(
                    "open_text", f"the string that begins at {at} is not closed"
                )
            if end.match(self.text, close + 1):
                self.tolerated["unescaped_quote"] += 1
                return self._decode(self.text[at + 1 : close]), close + 1
            close += 1

    def _decode(self, content: str) -> str:
        if "\n" in content:
            self.tolerated["line_break"] += 1
        return _ESCAPE.sub(_unescape, content) if "\\" in content else content

    def _bare(self, at: int, bare: re.Pattern[str]) -> tuple[str, int]:
        pattern_match = bare.match(self.text, at)
        bare_text = pattern_match[0].strip() if pattern_match else ""
        if not pattern_match or not bare_text:
            raise RejectedInputError("no_value", f"expected a value at position {at}")
        self.tolerated["no_quotes"] += 1
        return bare_text, pattern_match.end()

    def _read_nested(self, at: int, depth: int) -> tuple[Plain, int]:
        if depth > MAX_DEPTH:
            raise RejectedInputError("too_deep", f"nesting exceeds {MAX_DEPTH} levels")
        close = _CLOSING[self.text[at]]
        items: list[Plain] = []
        members: dict[str, Plain] = {}
        at = self.skip(at + 1)
        while self.text[at : at + 1] != close:
            if close == "}":
                key, at = self._key(at, depth)
                value, at = self._value(at, INSIDE, _BARE_INSIDE, depth)
                if key in members:
                    self.tolerated["repeated_key"] += 1
                members[key] = value
            else:
                value, at = self._value(at, INSIDE, _BARE_INSIDE, depth)
                items.append(value)
            at = self.skip(at)
            if self.text[at : at + 1] == ",":
                at = self.skip(at + 1)
            elif self.text[at : at + 1] != close:
                raise RejectedInputError(
                    "open_value", f"expected a comma or {close} at position {at}"
                )
        if close == ")":
            self.tolerated["tuple"] += 1
        return (members if close == "}" else items), at + 1

    def _key(self, at: int, depth: int) -> tuple[str, int]:
        key, at = self._value(at, _BEHIND_KEY, _BARE_INSIDE, depth)
        at = self.skip(at)
        if self.text[at : at + 1] != ":":
            raise RejectedInputError("open_value", f"expected a colon at position {at}")
        if not isinstance(key, str):
            self.tolerated["key_of_no_text"] += 1
            key = repr(key)
        return key, self.skip(at + 1)


def literal_of(text: str, tolerated: AbstractSet[str] = frozenset()) -> Plain:
    """Return the value of a text that consists of exactly one Python literal.

    Deviations from Python's syntax are errors, except those of the kinds in `tolerated`.

    Raises RejectedInputError if the text is not exactly one literal.
    """
    reader = LiteralReader(text)
    value, end = reader.value(reader.skip(0))
    if reader.skip(end) != len(text) or reader.tolerated.keys() - tolerated:
        raise RejectedInputError("no_value", "the text is neither JSON nor a Python literal")
    return value


def _number(text: str) -> Plain:
    if text.lstrip("+-").isdecimal():
        return int(text)
    number = float(text)
    return number if abs(number) != float("inf") else text


def _unescape(match: re.Match[str]) -> str:
    plain, *codes, octal, line = match.groups()
    if plain:
        return _PLAIN.get(plain, plain)
    if line:
        return ""
    digits = next((hex_digits for hex_digits in codes if hex_digits), "")
    code = int(digits, 16) if digits else int(octal, 8)
    if FIRST_SURROGATE <= code <= LAST_SURROGATE or code > 0x10FFFF:
        return match[0]
    return chr(code)
