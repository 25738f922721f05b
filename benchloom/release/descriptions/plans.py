"""Convert shortcuts and plans to one form for display: a list of steps with their arguments."""

from collections.abc import Iterable
from typing import Any

import msgspec

from benchloom.core.plain_words import ABSENT, shortened
from benchloom.release.descriptions.pages import icloud_address

_MAX_STEPS = 200
_LONGEST_TEXT = 2000
_DEEPEST = 12
_MAX_DIALOGUES = 5


class PlanLine(msgspec.Struct, frozen=True):
    """A step of a plan as a line of text.

    `takes` lists the earlier steps whose outputs the step uses.
    """

    number: int
    depth: int
    api: str
    app: str
    line: str
    takes: str


class PlanRow(msgspec.Struct, frozen=True):
    """A shortcut or a plan to display. Only its first 200 steps are included.

    `facts` are pairs of name and text, and `more` is the number of steps that are not included.
    """

    row_id: str
    title: str
    text: str
    facts: tuple[tuple[str, str], ...]
    link: str | None
    steps: tuple[PlanLine, ...]
    more: int


def shortcut_row(row: dict[str, Any]) -> PlanRow:
    """Convert a row of the table `shortcuts` for display.

    The text of each step is a line of the row's `workflow`, its description in words.
    """
    level = row["level"]
    facts = [
        ("level", ABSENT if level is None else str(level)),
        ("length", str(row["length"])),
        ("source", row["source_uri"]),
    ]
    facts += [("oddity tolerated", oddity) for oddity in row["oddities"]]
    links = (icloud_address(icloud_id) for icloud_id in row["icloud_ids"])
    actions = row["actions"][:_MAX_STEPS]
    lines = row["workflow"].split("\n")
    steps = tuple(
        PlanLine(
            number=action["index"] + 1,
            depth=min(action["depth"], _DEEPEST),
            api=action["identifier"],
            app=action["app"],
            line=shortened(line.strip()),
            takes=_numbers(
                reference["action_index"]
                for argument in action["arguments"]
                for reference in argument["references"]
            ),
        )
        for action, line in zip(actions, lines, strict=False)
    )
    return PlanRow(
        row_id=row["shortcut_id"],
        title=shortened(row["name"] or _file_name(row["source_uri"])),
        text=shortened(row["description"] or "", _LONGEST_TEXT),
        facts=tuple(facts),
        link=next((link for link in links if link), None),
        steps=steps,
        more=len(row["actions"]) - len(steps),
    )


def path_row(row: dict[str, Any]) -> PlanRow:
    """Convert a row of the table `planning_paths` for display."""
    dialogues = row["dialogues"]
    sources = [
        f"{row['source']} {dialogue['split']} {dialogue['source_id']}" for dialogue in dialogues
    ]
    if len(sources) > _MAX_DIALOGUES:
        sources = [*sources[:_MAX_DIALOGUES], f"{len(dialogues) - _MAX_DIALOGUES} more"]
    facts = (
        ("category", row["category"]),
        ("split", row["split"] or ABSENT),
        ("made from", ", ".join(sources)),
    )
    steps = tuple(
        PlanLine(
            number=step["index"] + 1,
            depth=0,
            api=step["api"],
            app=step["app"],
            line=shortened(_call(step)),
            takes=_numbers(argument["from_step"] for argument in step["arguments"]),
        )
        for step in row["steps"][:_MAX_STEPS]
    )
    return PlanRow(
        row_id=row["path_id"],
        title=shortened(
            f"{row['source']} {dialogues[0]['source_id'] if dialogues else ''}".strip()
        ),
        text="",
        facts=facts,
        link=None,
        steps=steps,
        more=len(row["steps"]) - len(steps),
    )


def _call(step: dict[str, Any]) -> str:
    # `Api(name="value", other=step 1: output)`
    arguments = (
        f"{argument['name']}={argument['value']!r}"
        if argument["from_step"] is None
        else f"{argument['name']}=step {argument['from_step'] + 1}{_output(argument['output'])}"
        for argument in step["arguments"]
    )
    return f"{step['api']}({', '.join(arguments)})"


def _output(name: str | None) -> str:
    return "" if name is None else f": {name}"


def _numbers(indices: Iterable[int | None]) -> str:
    step_indices = sorted({index for index in indices if index is not None})
    return ", ".join(f"step {index + 1}" for index in step_indices)


def _file_name(source_uri: str) -> str:
    return source_uri.replace("!", "/").rsplit("/", 1)[-1]
