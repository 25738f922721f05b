"""Convert values in a shortcut to values of calls.

Tokens, which stand for results and variables in a shortcut file, become references. A wrapper
object is replaced by the value inside it. A text with tokens becomes a `Composed`. A dictionary
field becomes an object, or a list of its keys and values if a key is repeated or is not plain text.
A token without a matching reference in the row is left unchanged.
"""

from abc import ABC, abstractmethod
from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, cast

import msgspec

from benchloom.core.built_in_actions import (
    ATTACHMENTS,
    LEGACY_INPUT,
    OUTPUT_UUID,
    PLACEHOLDER,
    SERIALIZATION,
    input_kind,
    parse_range,
    part_of_output,
    split_location,
)
from benchloom.core.records.shortcut import Argument, Reference
from benchloom.core.records.values import MAX_DEPTH, Composed, Plain, Ref, RuntimeValue, Value
from benchloom.storage.inputs.json_nesting import MAX_DEPTH as MAX_JSON_DEPTH
from benchloom.storage.inputs.json_nesting import may_nest_deeper

Resolve = Callable[[Reference], Ref | RuntimeValue]  # converts a row's reference
ITEMS = "WFDictionaryFieldValueItems"
_FIELD = {"WFKey", "WFValue"}
_ENTRY = {"WFItemType", "WFValue"}
Token: TypeAlias = Ref | RuntimeValue
_Key = tuple[str, int | None, int | None]


class DamagedValueError(ValueError):
    """Raised for a value that is not JSON, or that is nested too deeply.

    `kind` is the stable word `damaged_value` or `too_deep`.
    """

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


def value_of(argument: Argument, resolve: Resolve) -> tuple[Value, Sequence[Reference]]:
    """Convert the value of an action's argument to the value of a call's argument.

    Also returns the references of the argument that do not occur in its value.

    Raises DamagedValueError if the value is not JSON (`damaged_value`) or nested too deeply
    (`too_deep`).
    """
    if may_nest_deeper(argument.value.encode("utf-8", "surrogatepass"), MAX_JSON_DEPTH):
        raise DamagedValueError("too_deep")
    try:
        plain: Plain = msgspec.json.decode(argument.value)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DamagedValueError("damaged_value") from error
    except RecursionError as error:
        raise DamagedValueError("too_deep") from error
    if not isinstance(plain, list | dict):
        return plain, argument.references
    walk = _RowWalk(argument.references, resolve)
    value = walk.value(plain)
    return value, walk.left()


class ValueWalk(ABC):
    """Converts a value of a shortcut recursively; subclasses define what tokens become.

    Tokens are objects that stand for results, variables or inputs.
    """

    @abstractmethod
    def token(self, plain: Mapping[str, Plain], location: str) -> Token | None:
        """Return the replacement of a token, or None if the object is not a token.

        `location` is the location of the object inside the argument.
        """

    def inner(self, plain: Mapping[str, Plain]) -> str | None:
        """Return the key under which a wrapper object contains its value.

        Returns None if the object is not a wrapper.
        """
        keys = plain.keys()
        if keys == {"Value", SERIALIZATION}:
            return "Value"
        if keys == {"Type", "Variable"} and plain["Type"] == "Variable":
            return "Variable"
        return "WFValue" if keys == _ENTRY else None

    def value(self, plain: Plain, path: str = "", depth: int = 0) -> Value:
        """Convert a JSON value of a shortcut; `path` is its location inside the argument.

        Raises DamagedValueError (`too_deep`) if the value is nested too deeply.
        """
        if depth > MAX_DEPTH:
            raise DamagedValueError("too_deep")
        if isinstance(plain, list):
            return [
                self.value(element, f"{path}/{n}", depth + 1) for n, element in enumerate(plain)
            ]
        if not isinstance(plain, dict):
            return plain
        token = self.token(plain, path)
        if token is not None:
            return token
        inner = self.inner(plain)
        if inner is not None:
            return self.value(plain[inner], f"{path}/{inner}", depth + 1)
        if isinstance(plain.get("string"), str) and plain.keys() <= {"string", ATTACHMENTS}:
            return self._text(plain, path, depth)
        items = plain.get(ITEMS)
        if isinstance(items, list) and len(plain) == 1:
            return self._fields(items, f"{path}/{ITEMS}", depth + 1)
        return {
            name: self.value(member, f"{path}/{name}", depth + 1) for name, member in plain.items()
        }

    def _text(self, plain: Mapping[str, Plain], location: str, depth: int) -> Value:
        text = cast("str", plain["string"])
        attachments = plain.get(ATTACHMENTS)
        if not attachments or not isinstance(attachments, dict):
            return text
        values = {
            key: self.value(token, f"{location}/{ATTACHMENTS}/{key}", depth + 1)
            for key, token in attachments.items()
        }
        placed = [
            (*span, number, value)
            for number, (key, value) in enumerate(values.items())
            if (span := parse_range(key)) is not None and isinstance(value, Token)
        ]
        if len(placed) < len(values):
            return {"string": text, ATTACHMENTS: values}
        return _compose(text, placed)

    def _fields(self, items: list[Plain], location: str, depth: int) -> Value:
        pairs: list[tuple[Value, Value]] = []
        for number, item in enumerate(items):
            if not isinstance(item, dict) or not item.keys() >= _FIELD:
                return [
                    self.value(element, f"{location}/{n}", depth + 1)
                    for n, element in enumerate(items)
                ]
            at = f"{location}/{number}"
            key = self.value(item["WFKey"], f"{at}/WFKey", depth + 1)
            pairs.append((key, self.value(item["WFValue"], f"{at}/WFValue", depth + 1)))
        names = {key for key, _ in pairs if isinstance(key, str)}
        if len(names) == len(pairs):
            return {cast("str", key): value for key, value in pairs}
        return [{"key": key, "value": value} for key, value in pairs]


class _RowWalk(ValueWalk):
    def __init__(self, references: Sequence[Reference], resolve: Resolve) -> None:
        self._resolve = resolve
        self._waiting: defaultdict[_Key, deque[Reference]] = defaultdict(deque)
        for reference in references:
            self._waiting[reference.location, reference.offset, reference.length].append(reference)

    def left(self) -> list[Reference]:
        return [reference for waiting in self._waiting.values() for reference in waiting]

    def token(self, plain: Mapping[str, Plain], location: str) -> Token | None:
        kind = plain.get("Type")
        is_output = OUTPUT_UUID in plain and kind in ("ActionOutput", None)
        is_variable = kind == "Variable" and isinstance(plain.get("VariableName"), str)
        if is_output or is_variable or kind == LEGACY_INPUT:
            reference = self._reference(location)
            return None if reference is None else self._resolve(reference)
        name = input_kind(kind)
        if name is None:
            return None
        return RuntimeValue("input", name, part_of_output(cast("dict[str, object]", plain)))

    def _reference(self, token_location: str) -> Reference | None:
        location, span = (
            split_location(token_location)
            if ATTACHMENTS in token_location
            else (token_location, None)
        )
        waiting = self._waiting.get((location, *(span or (None, None))))
        return waiting.popleft() if waiting else None


def _compose(text: str, tokens: list[tuple[int, int, int, Token]]) -> Value:
    units = text.encode("utf-16-le", "surrogatepass")
    parts: list[str | Token] = []
    at = 0
    for offset, length, _, token in sorted(tokens, key=lambda placed_token: placed_token[:3]):
        start = min(max(offset, at), len(units) // 2)
        parts += (units[2 * at : 2 * start].decode("utf-16-le", "replace"), token)
        covered = units[2 * start : 2 * (start + length)]
        # Keeps ordinary text: in some real files a token's range does not cover a placeholder.
        plain = covered != PLACEHOLDER and covered.decode("utf-16-le", "replace").strip("\ufffc")
        at = start if plain else min(start + length, len(units) // 2)
    parts.append(units[2 * at :].decode("utf-16-le", "replace"))
    pieces = tuple(part for part in parts if part != "")
    return pieces[0] if len(pieces) == 1 else Composed(pieces)
