"""Actions with values, as a prompt's inputs read them."""

from collections.abc import Mapping

import msgspec

from prompts.language.value_texts.literals import ActionRow, ArgumentRow

SYSTEM = "is.workflow.actions."


def action(
    name: str, control: str | None = None, index: int = 0, values: Mapping[str, object] = {}
) -> ActionRow:
    """Create a row for an action of the system with these values."""
    arguments = tuple(
        ArgumentRow(
            key,
            "structure" if isinstance(value, dict | list) else "literal",
            msgspec.json.encode(value).decode(),
        )
        for key, value in values.items()
    )
    return ActionRow(index, SYSTEM + name, control, arguments)
