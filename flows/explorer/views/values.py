"""Format argument values for display, as texts that contain named outputs, or as JSON."""

from collections.abc import Sequence
from typing import Any

import msgspec

from benchloom.core.plain_words import shortened
from benchloom.core.records.shortcut import Argument, Reference

_MARK = "\ufffc"
"""Character that the app writes in a text in place of an output."""
LONGEST = 1500


class Piece(msgspec.Struct, frozen=True):
    """A part of a value: plain text, or an output of the step with the number `step`.

    `is_output` is set for outputs; outputs from outside the shortcut have no step.
    """

    text: str
    is_output: bool = False
    step: int | None = None


def pieces_of(argument: Argument) -> tuple[Piece, ...]:
    """Split the value of a supplied parameter into its pieces."""
    try:
        value: Any = msgspec.json.decode(argument.value)
    except (msgspec.DecodeError, RecursionError):
        return (Piece(shortened(argument.value, LONGEST)),)
    if argument.kind in {"reference", "variable"} and argument.references:
        return tuple(output_piece(reference) for reference in argument.references)
    inside = value.get("Value") if isinstance(value, dict) else None
    if argument.kind == "text" and isinstance(inside, dict):
        return _text(inside, argument)
    if argument.inputs and argument.kind in {"input", "variable"}:
        return tuple(Piece(input_name, is_output=True) for input_name in argument.inputs)
    pieces = [Piece(shortened(plain(value), LONGEST))]
    pieces += [output_piece(reference) for reference in argument.references]
    return tuple(pieces)


def output_piece(reference: Reference) -> Piece:
    """Return a piece for the output that a reference uses."""
    step = None if reference.action_index is None else reference.action_index + 1
    name = reference.output or ("the previous output" if step is not None else "an unknown output")
    return Piece(name + (f" {reference.path}" if reference.path else ""), is_output=True, step=step)


def _text(inside: dict[str, Any], argument: Argument) -> tuple[Piece, ...]:
    """Split a text into its literal pieces and the outputs, variables and inputs in it."""
    text = shortened(str(inside.get("string", "")), LONGEST)
    gaps = inside.get("attachmentsByRange")
    ranges = sorted(gaps.items(), key=lambda gap: _start(gap[0])) if isinstance(gaps, dict) else []
    references_by_offset = {
        argument_reference.offset: argument_reference
        for argument_reference in argument.references
        if argument_reference.offset is not None
    }
    pieces: list[Piece] = []
    parts = text.split(_MARK)
    for number, part in enumerate(parts):
        if part:
            pieces.append(Piece(part))
        if number < len(ranges) and number < len(parts) - 1:
            span, attachment = ranges[number]
            reference = references_by_offset.get(_start(span))
            kind = str(attachment.get("Type", "")) if isinstance(attachment, dict) else ""
            pieces.append(
                output_piece(reference) if reference else Piece(kind or "?", is_output=True)
            )
    return tuple(pieces)


def _start(span: object) -> int:
    """Return the first number of a range such as `{6, 1}`; an invalid range sorts last."""
    digits = str(span).strip("{} ").partition(",")[0].strip()
    return int(digits) if digits.isdecimal() and digits.isascii() and len(digits) < 10 else 10**10


def plain(value: object) -> str:
    """Format a value for display.

    A text is unchanged, a boolean becomes yes or no, a list of texts is joined by commas, and any
    other value becomes JSON.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Sequence) and value and all(isinstance(element, str) for element in value):
        return ", ".join(value)
    return msgspec.json.encode(value).decode()
