"""Build action rows in the form that the inputs of prompts read."""

from collections.abc import Mapping

import msgspec

from prompts.language.value_texts.literals import ActionRow, ArgumentRow

SYSTEM = "is.workflow.actions."


def action(
    name: str, control: str | None = None, index: int = 0, values: Mapping[str, object] = {}
) -> ActionRow:
    """Return a row for a system action with these argument values."""
    arguments = tuple(
        ArgumentRow(
            key,
            "structure" if isinstance(value, dict | list) else "literal",
            msgspec.json.encode(value).decode(),
        )
        for key, value in values.items()
    )
    return ActionRow(index, SYSTEM + name, control, arguments)
