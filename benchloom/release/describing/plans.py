"""Shortcuts and planning paths as one shape for reading: steps with depth and arguments."""

from typing import Any

import msgspec

from benchloom.release.describing.pages import icloud_address

_MOST_STEPS = 200
_MOST_ARGUMENTS = 12
_LONGEST_VALUE = 160


class ShownArgument(msgspec.Struct, frozen=True):
    """One argument as text; `source` says where a reference takes its value from."""

    name: str
    value: str
    source: str


class ShownStep(msgspec.Struct, frozen=True):
    """One line of the indented list."""

    number: int
    depth: int
    api: str
    app: str
    arguments: tuple[ShownArgument, ...]
    more: int


class PlanRow(msgspec.Struct, frozen=True):
    """One row to read; `steps` are the first 200, `more` counts the rest."""

    row_id: str
    title: str
    text: str | None
    facts: tuple[tuple[str, str], ...]
    link: str | None
    steps: tuple[ShownStep, ...]
    more: int


def shortcut_row(row: dict[str, Any]) -> PlanRow:
    """A row of `shortcuts`."""
    level = row["level"]
    facts = [
        ("level", "none" if level is None else str(level)),
        ("length", str(row["length"])),
        ("source", row["source_uri"]),
    ]
    facts += [("oddity tolerated", flag) for flag in row["flags"]]
    links = (icloud_address(icloud_id) for icloud_id in row["icloud_ids"])
    steps = tuple(
        ShownStep(
            number=action["index"] + 1,
            depth=min(action["depth"], 12),
            api=action["identifier"],
            app=action["app"],
            arguments=tuple(
                ShownArgument(argument["name"], shortened(argument["value"]), _from(argument))
                for argument in action["arguments"][:_MOST_ARGUMENTS]
            ),
            more=max(0, len(action["arguments"]) - _MOST_ARGUMENTS),
        )
        for action in row["actions"][:_MOST_STEPS]
    )
    return PlanRow(
        row_id=row["shortcut_id"],
        title=row["name"] or _file_name(row["source_uri"]),
        text=row["description"],
        facts=tuple(facts),
        link=next((link for link in links if link), None),
        steps=steps,
        more=max(0, len(row["actions"]) - _MOST_STEPS),
    )


def _from(argument: dict[str, Any]) -> str:
    """The steps an argument takes outputs of."""
    numbers = {reference["action_index"] for reference in argument["references"]}
    return ", ".join(f"step {number + 1}" for number in sorted(numbers - {None}))


def path_row(row: dict[str, Any]) -> PlanRow:
    """A row of `planning_paths`."""
    facts = (
        ("category", row["category"]),
        ("source", f"{row['source']} {row['split']} {row['source_id']}"),
    )
    steps = tuple(
        ShownStep(
            number=step["index"] + 1,
            depth=0,
            api=step["api"],
            app=step["app"],
            arguments=tuple(
                ShownArgument(
                    argument["name"],
                    shortened(argument["value"]),
                    "" if argument["from_step"] is None else f"step {argument['from_step'] + 1}",
                )
                for argument in step["arguments"][:_MOST_ARGUMENTS]
            ),
            more=max(0, len(step["arguments"]) - _MOST_ARGUMENTS),
        )
        for step in row["steps"][:_MOST_STEPS]
    )
    return PlanRow(
        row_id=row["path_id"],
        title=f"{row['source']} {row['source_id']}",
        text=None,
        facts=facts,
        link=None,
        steps=steps,
        more=max(0, len(row["steps"]) - _MOST_STEPS),
    )


def shortened(value: str) -> str:
    """The start of a long value."""
    return value if len(value) <= _LONGEST_VALUE else value[: _LONGEST_VALUE - 1] + "…"


def _file_name(source_uri: str) -> str:
    return source_uri.replace("!", "/").rsplit("/", 1)[-1]
