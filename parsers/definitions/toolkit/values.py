"""Decode the values that ToolKit databases store as the defaults of parameters.

Up to URL (9), the kinds of primitive values have the same numbers as the primitive types. After
URL the number of a value is one less than that of its type, because there is no dictionary
value. Real defaults confirm this for measurements, placemarks and apps.
"""

import msgspec

from parsers.definitions.toolkit.wire import Field, Opaque, read_fields

_NONE, _BOOL, _INT, _NUMBER, _DECIMAL, _STRING, _DATE, _COMPONENTS, _URL = range(1, 10)
_MEASUREMENT, _PLACEMARK, _APP = 11, 14, 17
_MAX_NESTING = 16


class Default(msgspec.Struct, frozen=True):
    """The default of a parameter.

    `value` is None if the default is computed at run time (`deferred`) or cannot be decoded.
    """

    value: object
    deferred: bool = False


class _Values:
    def __init__(self, path: str, opaque: Opaque) -> None:
        self.path = path
        self.opaque = opaque
        self.deferred = False

    def unknown(self, field: Field) -> None:
        self.opaque.add(self.path, field)

    def value(self, data: bytes, nesting: int) -> object:
        plain_value: object = None
        for field in read_fields(data):
            if not field.is_message or nesting > _MAX_NESTING:
                self.unknown(field)
            elif field.number == 1:
                plain_value = self.primitive(field.payload)
            elif field.number == 2:
                plain_value = self._texts(field.payload, {2: "case"}, {1, 3}).get("case")
            elif field.number == 3:
                plain_value = self._entity(field.payload)
            elif field.number == 4:
                plain_value = [
                    self.value(member.payload, nesting + 1) for member in read_fields(field.payload)
                ]
            elif field.number == 7:
                self.deferred = True
            else:
                self.unknown(field)
        return plain_value

    def primitive(self, data: bytes) -> object:
        plain_value: object = None
        for field in read_fields(data):
            number = field.number
            if number == _BOOL and not field.is_message:
                plain_value = bool(field.integer)
            elif number == _INT and not field.is_message:
                plain_value = field.integer - (1 << 64) if field.integer >> 63 else field.integer
            elif number == _NUMBER and not field.is_message:
                plain_value = field.double
            elif number in (_DECIMAL, _STRING, _URL) and field.is_message:
                plain_value = field.text
            elif number == _MEASUREMENT and field.is_message:
                plain_value = self._measurement(field.payload)
            elif number == _PLACEMARK and field.is_message:
                plain_value = {"name": self._inner_text(field.payload, 2)}
            elif number == _APP and field.is_message:
                app = self._texts(field.payload, {1: "bundle"}, {2})
                plain_value = {**app, "name": self._inner_text(field.payload, 2)}
            elif number != _NONE:
                self.unknown(field)
        return plain_value

    def _measurement(self, data: bytes) -> object:
        unit, amount = None, None
        for field in read_fields(data):
            if field.number == 1 and field.is_message:
                unit = field.text
            elif field.number == 2:
                amount = field.double
            else:
                self.unknown(field)
        return {"unit": unit, "value": amount}

    def _entity(self, data: bytes) -> object:
        # Its properties are skipped.
        entity_texts = self._texts(data, {2: "id"}, {1, 3, 4})
        return {**entity_texts, "title": self._inner_text(data, 4)}

    def _texts(self, data: bytes, names: dict[int, str], passed: set[int]) -> dict[str, object]:
        texts: dict[str, object] = {}
        for field in read_fields(data):
            if field.number in names and field.is_message:
                texts[names[field.number]] = field.text
            elif field.number not in passed:
                self.unknown(field)
        return texts

    @staticmethod
    def _inner_text(data: bytes, outer: int) -> str | None:
        # Field 1 of a display representation, at most two messages deep.
        for field in read_fields(data):
            if field.number != outer or not field.is_message:
                continue
            for inner in read_fields(field.payload):
                if inner.number == 1 and inner.is_message:
                    return inner.text
        return None


def read_value(data: bytes, path: str, opaque: Opaque) -> Default:
    """Decode a value that a ToolKit database stores as a message of the type TypedValue."""
    values = _Values(path, opaque)
    return Default(values.value(data, 0), values.deferred)
