"""Shortcuts as the input of steps: texts of strangers, cleaned and bounded, and the literals."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from benchloom.built_in_actions import RUN_SHORTCUT, SYSTEM_PREFIX
from benchloom.records import Rejected
from prompts.data_block import clean_text
from prompts.language.literals import LiteralArgument, required_values
from prompts.reading import iter_columns
from prompts.styles import Style
from prompts.subject import Value
from prompts.tools.tool import Tool, tools_by_api

MAX_LENGTH = 30
MAX_NAME = 120
MAX_DESCRIPTION = 1_500
MAX_COMMENT = 400
MAX_COMMENTS = 5
MAX_WORKFLOW = 6_000
_COMMENT = "# "


class ApiText(msgspec.Struct, frozen=True, gc=False):
    """What is known about an API that a shortcut calls."""

    api: str
    title: str
    description: str


class ShortcutInput(msgspec.Struct, frozen=True):
    """One shortcut as a step sees it; every text is cleaned and cut.

    `called` are the APIs of its actions in order, control flow left out, without the system's own
    prefix. `style` is how a request about it is to be worded, None where nobody chose.
    """

    name: str
    description: str
    comments: tuple[str, ...]
    workflow: str
    apis: tuple[ApiText, ...]
    required: tuple[Value, ...]
    literals: tuple[LiteralArgument, ...] = ()
    called: tuple[str, ...] = ()
    style: Style | None = None


class _ArgumentRow(msgspec.Struct, frozen=True, gc=False):
    name: str
    kind: str
    value: str


class _ActionRow(msgspec.Struct, frozen=True, gc=False):
    index: int
    identifier: str
    control: str | None
    arguments: tuple[_ArgumentRow, ...]


class ShortcutRow(msgspec.Struct, frozen=True):
    """The columns of `shortcuts` that steps read."""

    shortcut_id: str
    source_uri: str
    name: str | None
    description: str | None
    actions: tuple[_ActionRow, ...]
    length: int
    workflow: str


def read_shortcuts(folder: Path) -> Iterator[tuple[ShortcutRow, ShortcutInput | Rejected]]:
    """Every shortcut with its input, or the reason why no text is written about it."""
    tools = tools_by_api(folder)
    for row in iter_columns(folder, "shortcuts", ShortcutRow):
        reason = _left_out(row)
        if reason is not None:
            yield row, Rejected("generate", row.source_uri, *reason, row.shortcut_id)
        else:
            yield row, shortcut_input(row, tools)


def _left_out(row: ShortcutRow) -> tuple[str, str] | None:
    """Reason and message for a shortcut that no text is written about."""
    if row.length == 0:
        return "no_actions", "nothing to ask for"
    if row.length > MAX_LENGTH:
        return "too_many_actions", f"length {row.length}, at most {MAX_LENGTH}"
    if any(action.identifier == RUN_SHORTCUT for action in row.actions):
        return "runs_other_shortcut", "what it does is not in it alone"
    return None


def shortcut_input(row: ShortcutRow, tools: dict[str, Tool]) -> ShortcutInput:
    """The input of a shortcut; `tools` are the definitions known for its APIs."""
    lines = row.workflow.split("\n")
    comments = [
        line.strip()[len(_COMMENT) :] for line in lines if line.strip().startswith(_COMMENT)
    ]
    literals = tuple(
        LiteralArgument(action.index, action.identifier, argument.name, argument.value)
        for action in row.actions
        if action.control is None
        for argument in action.arguments
        if argument.kind == "literal"
    )
    return ShortcutInput(
        name=clean_text(row.name or "", MAX_NAME),
        description=clean_text(row.description or "", MAX_DESCRIPTION),
        comments=tuple(clean_text(text, MAX_COMMENT) for text in comments[:MAX_COMMENTS]),
        workflow=clean_text(row.workflow, MAX_WORKFLOW),
        apis=_apis(row, tools),
        required=required_values(literals),
        literals=literals,
        called=tuple(
            action.identifier.removeprefix(SYSTEM_PREFIX)
            for action in row.actions
            if not action.control
        ),
    )


def _apis(row: ShortcutRow, tools: dict[str, Tool]) -> tuple[ApiText, ...]:
    """The texts of the known APIs it calls, once each, in order."""
    called = dict.fromkeys(action.identifier for action in row.actions if not action.control)
    return tuple(
        ApiText(api.removeprefix(SYSTEM_PREFIX), tools[api].title, tools[api].description)
        for api in called
        if api in tools
    )
