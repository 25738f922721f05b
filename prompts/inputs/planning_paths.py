"""Planning paths as the input of the instruction step: what the user knows, and what not."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from prompts.data_block import clean_text
from prompts.reading import has_table, iter_columns
from prompts.subject import Call, Value
from prompts.tools.tool import Tool, tools_by_definition

USER_KNOWN = frozenset({"user", "carried", "name"})
"""Where a literal that the user may state was first introduced; name mode tells no origin."""
UNSPOKEN = frozenset({"", "true", "false", "dontcare"})
MAX_UTTERANCES = 40
MAX_UTTERANCE = 400


class PlannedCall(msgspec.Struct, frozen=True, gc=False):
    """One call of a plan as a step sees it."""

    app: str
    api: str
    description: str
    known: tuple[Value, ...]
    returns: tuple[str, ...] = ()


class PathInput(msgspec.Struct, frozen=True):
    """A plan, what the user said, what must be told and what must not."""

    utterances: tuple[str, ...]
    calls: tuple[PlannedCall, ...]
    known: tuple[Value, ...]
    hidden: tuple[Value, ...]


class _ArgumentRow(msgspec.Struct, frozen=True, gc=False):
    name: str
    kind: str
    value: str
    provenance: str


class _StepRow(msgspec.Struct, frozen=True, gc=False):
    app: str
    api: str
    arguments: tuple[_ArgumentRow, ...]
    returns: tuple[str, ...]
    definition_id: str


class _SourceRow(msgspec.Struct, frozen=True, gc=False):
    source_id: str
    source_uri: str


class PathRow(msgspec.Struct, frozen=True):
    """The columns of `planning_paths` that the step reads."""

    path_id: str
    dialogues: tuple[_SourceRow, ...]
    steps: tuple[_StepRow, ...]

    @property
    def first(self) -> tuple[str, str]:
        """Place and id of the first dialogue; an id alone stands in every split."""
        return self.dialogues[0].source_uri, self.dialogues[0].source_id

    @property
    def source_uri(self) -> str:
        """File of the first dialogue, whose words the instruction is written from."""
        return self.dialogues[0].source_uri


def read_paths(folder: Path) -> Iterator[tuple[PathRow, PathInput]]:
    """Every planning path with its input."""
    tools = tools_by_definition(folder)
    utterances = _utterances(folder)
    for row in iter_columns(folder, "planning_paths", PathRow):
        yield row, path_input(row, tools, utterances.get(row.first, ()))


def path_input(row: PathRow, tools: dict[str, Tool], utterances: tuple[str, ...]) -> PathInput:
    """What the user knows are literals the user gave; every other value stays hidden."""
    calls: list[PlannedCall] = []
    hidden: dict[str, Value] = {}
    for step in row.steps:
        known: list[Value] = []
        for argument in step.arguments:
            value = Value(clean_text(argument.value, MAX_UTTERANCE), argument.name)
            if argument.kind == "literal" and argument.provenance in USER_KNOWN:
                if argument.value.strip().casefold() not in UNSPOKEN:
                    known.append(value)
            else:
                hidden.setdefault(argument.value, value)
        tool = tools.get(step.definition_id)
        calls.append(
            PlannedCall(
                step.app,
                step.api,
                tool.description if tool else "",
                tuple(known),
                step.returns,
            )
        )
    known_values = {value.value: value for call in calls for value in call.known}
    return PathInput(
        utterances,
        tuple(calls),
        tuple(known_values.values()),
        tuple(value for text, value in hidden.items() if text not in known_values),
    )


def calls_to_check(calls: tuple[PlannedCall, ...]) -> tuple[Call, ...]:
    """What each call can be recognised by: its texts, and values that no other call has."""
    holders: dict[str, int] = {}
    for call in calls:
        for value in {entry.value for entry in call.known}:
            holders[value] = holders.get(value, 0) + 1
    return tuple(
        Call(
            (f"{call.app}.{call.api}", call.api, call.app, call.description),
            tuple(value for value in call.known if holders[value.value] == 1),
        )
        for call in calls
    )


class _UtteranceRow(msgspec.Struct, frozen=True, gc=False):
    text: str


class _DialogueRow(msgspec.Struct, frozen=True):
    source_id: str
    source_uri: str
    utterances: tuple[_UtteranceRow, ...]


def _utterances(folder: Path) -> dict[tuple[str, str], tuple[str, ...]]:
    """What the user said, by place and id of the dialogue; empty in a folder without the table."""
    if not has_table(folder, "dialogues"):
        return {}
    return {
        (row.source_uri, row.source_id): tuple(
            clean_text(" ".join(said.text.split()), MAX_UTTERANCE)
            for said in row.utterances[:MAX_UTTERANCES]
        )
        for row in iter_columns(folder, "dialogues", _DialogueRow)
    }
