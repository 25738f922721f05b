"""Convert a row of `shortcuts` to the root of the property list that an editor would write.

Values in rows are converted back to the form that they have in files, if it is known; for example,
texts of numbers that JSON cannot store become numbers again. A row contains only the length and the
digest of binary data. The file contains a mapping with both in place of the data, so that parsing
the file gives a row with the same digests.
"""

import re
from typing import TypeAlias

import msgspec

from benchloom.core.identity import tagged_digest
from benchloom.core.records import Action, Icon, Shortcut
from benchloom.exchange.examples import Loss

PlistValue: TypeAlias = "bool | int | float | str | list[PlistValue] | dict[str, PlistValue] | None"
"""A value of a property list; None is only allowed until nulls are removed."""
MAX_DEPTH = 256  # levels of nesting in a value, as many as our reader accepts
LOSSES = {
    "data": "the row has only length and digest of binary data, so a mapping of both is written",
    "null_value": "property lists have no null, so the entry is not written",
    "huge_number": "an integer exceeds 64 bits, so a mapping with its digits is written",
    "import_default": "the default of an import question is private, so no table contains it",
    "import_question": "an import question that belongs to no action is not written",
    "changed_actions": "the actions do not match the row's digest, because values were redacted",
    "no_row": "the example does not come from the table shortcuts, so it is not written",
    "damaged_value": "the value of an argument is not valid JSON",
    "too_deep": f"the value of an argument is nested deeper than {MAX_DEPTH} levels",
}
_ENCODER = msgspec.json.Encoder(order="sorted")
_NUMBERS = frozenset({"inf", "-inf", "nan"})
_DIGITS = re.compile(r"-?[1-9][0-9]{0,39}")
_SIGNED, _UNSIGNED = 1 << 63, 1 << 64
_TAGGED = 2  # maximum members of a mapping that stands for a number or data
_NO_COLOR, _NO_GLYPH = 463140863, 61440  # blue and a magic wand, the app's defaults
_CLIENT_VERSION, _LEAST_VERSION = "900", 900


class UnwritableError(Exception):
    """Raised for a row of which no file can be written; `loss` states the reason."""

    def __init__(self, loss: Loss) -> None:
        super().__init__(f"{loss.kind} at {loss.place}")
        self.loss = loss


def root_of(row: Shortcut) -> tuple[dict[str, PlistValue], tuple[Loss, ...]]:
    """Return the root mapping of a shortcut file, and the parts of the row that it cannot store.

    Raises UnwritableError if a value is not JSON, or is nested too deeply.
    """
    losses: list[Loss] = []
    canonical = [(action.identifier, _parameters(action)) for action in row.actions]
    if tagged_digest("actions", _ENCODER.encode(canonical)) != row.canonical_digest:
        losses.append(Loss("changed_actions", "actions"))
    actions: list[PlistValue] = [
        {
            "WFWorkflowActionIdentifier": identifier,
            "WFWorkflowActionParameters": _Restored(index, losses).parameters(parameters),
        }
        for index, (identifier, parameters) in enumerate(canonical)
    ]
    root: dict[str, PlistValue] = {
        "WFWorkflowActions": actions,
        "WFWorkflowClientVersion": row.client_version or _CLIENT_VERSION,
        "WFWorkflowHasShortcutInputVariables": "ExtensionInput" in row.needs_input.kinds,
        "WFWorkflowIcon": _icon(row.icon or Icon(None, None)),
        "WFWorkflowImportQuestions": _questions(row, losses),
        "WFWorkflowInputContentItemClasses": list(row.input_classes),
        "WFWorkflowMinimumClientVersion": _LEAST_VERSION,
        "WFWorkflowMinimumClientVersionString": str(_LEAST_VERSION),
        "WFWorkflowOutputContentItemClasses": [],
        "WFWorkflowTypes": list(row.surfaces),
    }
    if row.name is not None:
        root["WFWorkflowName"] = row.name
    behavior = row.needs_input.no_input_behavior
    if behavior is not None:
        root["WFWorkflowNoInputBehavior"] = {"Name": behavior, "Parameters": {}}
    return root, tuple(losses)


def _parameters(action: Action) -> dict[str, PlistValue]:
    columns = {
        "UUID": action.uuid,
        "CustomOutputName": action.output_name,
        "GroupingIdentifier": action.group,
        "WFControlFlowMode": action.mode,
    }
    parameters: dict[str, PlistValue] = {
        name: value for name, value in columns.items() if value is not None
    }
    for argument in action.arguments:
        try:
            parameters[argument.name] = msgspec.json.decode(argument.value)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            location = f"{action.index}/{argument.name}"
            raise UnwritableError(Loss("damaged_value", location, whole=True)) from error
        except RecursionError as error:
            location = f"{action.index}/{argument.name}"
            raise UnwritableError(Loss("too_deep", location, whole=True)) from error
    return parameters


class _Restored:
    """Restores values of a row to the form that they have in shortcut files.

    `losses` collects the values that cannot be restored.
    """

    def __init__(self, index: int, losses: list[Loss]) -> None:
        self._index = index
        self._losses = losses
        self._name = ""

    def parameters(self, parameters: dict[str, PlistValue]) -> dict[str, PlistValue]:
        plist_parameters: dict[str, PlistValue] = {}
        for self._name, value in parameters.items():
            if value is None:
                self._lost("null_value")
            else:
                plist_parameters[self._name] = self._value(value, 0)
        return plist_parameters

    def _lost(self, kind: str) -> None:
        self._losses.append(Loss(kind, f"{self._index}/{self._name}"))

    def _value(self, value: PlistValue, depth: int) -> PlistValue:
        if depth > MAX_DEPTH and isinstance(value, list | dict):
            location = f"{self._index}/{self._name}"
            raise UnwritableError(Loss("too_deep", location, whole=True))
        if isinstance(value, list):
            entries = [entry for entry in value if entry is not None]
            if len(entries) < len(value):
                self._lost("null_value")
            return [self._value(entry, depth + 1) for entry in entries]
        if not isinstance(value, dict):
            return value
        if len(value) <= _TAGGED:
            number = self._tagged(value)
            if number is not None:
                return number
        mapping: dict[str, PlistValue] = {}
        for name, field_value in value.items():
            if field_value is None:
                self._lost("null_value")
            else:
                mapping[name] = self._value(field_value, depth + 1)
        return mapping

    def _tagged(self, value: dict[str, PlistValue]) -> PlistValue:
        if value.keys() == {"sha256", "length"}:
            self._lost("data")
            return None
        float_text = value.get("float")
        if isinstance(float_text, str) and float_text in _NUMBERS and len(value) == 1:
            return float(float_text)
        digits = value.get("int")
        if isinstance(digits, str) and _DIGITS.fullmatch(digits) and len(value) == 1:
            number = int(digits)
            if -_SIGNED <= number < _UNSIGNED:
                return number
            self._lost("huge_number")
        return None


def _icon(icon: Icon) -> dict[str, PlistValue]:
    return {
        "WFWorkflowIconGlyphNumber": _NO_GLYPH if icon.glyph is None else icon.glyph,
        "WFWorkflowIconStartColor": _NO_COLOR if icon.color is None else icon.color,
    }


def _questions(row: Shortcut, losses: list[Loss]) -> list[PlistValue]:
    questions: list[PlistValue] = []
    for number, question in enumerate(row.needs_input.import_questions):
        location = f"import_questions/{number}"
        if question.action_index is None:
            losses.append(Loss("import_question", location))
            continue
        losses.append(Loss("import_default", location))
        questions.append(
            {
                "ActionIndex": question.action_index,
                "Category": "Parameter",
                "ParameterKey": question.parameter,
                "Text": question.question,
            }
        )
    return questions
