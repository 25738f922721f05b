"""Convert plans of API calls to the input of the step that writes instructions.

The input separates the values that the user states from those that only calls or the assistant
give.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from prompts.columns import iter_columns
from prompts.data_block import clean_text
from prompts.inputs.plan_parameters import DefinitionText, label_of, read_definition_texts
from prompts.styles import PLAIN, Style
from prompts.subject import Call, Value

Origin = Literal["user", "default", "system", "unknown", "result"]
USER_ORIGINS = frozenset({"user", "carried", "name"})
"""Provenances of values that the user may state. Values of plans that record only names have the
provenance "name"."""
INDIFFERENT = frozenset({"", "dontcare"})
"""Values that express no preference, so that a text need not state them."""
MAX_UTTERANCES = 40
MAX_UTTERANCE = 400
_ORIGINS: dict[str, Origin] = {"default": "default", "system": "system"}


class PlannedArgument(msgspec.Struct, frozen=True, gc=False):
    """One argument of a plan's API call: its value, and where the value comes from.

    If the value is the result of an earlier call, `from_step` is the position of this call,
    `output` the everyday name of the output, and `field` its name in the definition.
    """

    value: Value
    origin: Origin
    from_step: int = -1
    output: str = ""
    field: str = ""

    @property
    def must_be_stated(self) -> bool:
        """Whether a text must state the value, because the user gives it and it is a preference."""
        return self.origin == "user" and self.value.value.strip().casefold() not in INDIFFERENT


class PlannedCall(msgspec.Struct, frozen=True):
    """One API call of a plan; `outcome` is "ok", or tells what happened, such as "failed"."""

    app: str
    api: str
    description: str
    arguments: tuple[PlannedArgument, ...] = ()
    title: str = ""
    outcome: str = "ok"

    @property
    def stated_values(self) -> tuple[Value, ...]:
        """Return the values that the user has to state for the call."""
        return tuple(argument.value for argument in self.arguments if argument.must_be_stated)


class PathInput(msgspec.Struct, frozen=True):
    """The input of the step that writes one request for a plan of API calls.

    The request must contain the values in `stated`. It must not contain those in `hidden`, because
    the user learns them only from the results of calls. `utterances` are what the user said in the
    dialogue. `technical` are names in the plan that people do not say, and `descriptions` the
    descriptions of the APIs, which the request must not copy.
    """

    utterances: tuple[str, ...]
    calls: tuple[PlannedCall, ...]
    stated: tuple[Value, ...]
    hidden: tuple[Value, ...]
    technical: tuple[str, ...] = ()
    descriptions: tuple[str, ...] = ()
    style: Style = PLAIN


class _ArgumentRow(msgspec.Struct, frozen=True, gc=False):
    name: str
    kind: str
    value: str
    from_step: int | None
    output: str | None
    provenance: str


class _StepRow(msgspec.Struct, frozen=True, gc=False):
    app: str
    api: str
    arguments: tuple[_ArgumentRow, ...]
    outcome: str
    definition_id: str


class _SourceRow(msgspec.Struct, frozen=True, gc=False):
    source_id: str
    source_uri: str


class PathRow(msgspec.Struct, frozen=True):
    """One plan, with the columns of `planning_paths` from which the input is built."""

    path_id: str
    dialogues: tuple[_SourceRow, ...]
    steps: tuple[_StepRow, ...]

    @property
    def first(self) -> tuple[str, str]:
        """Return the file and id of the first dialogue, because ids alone are not unique."""
        return self.dialogues[0].source_uri, self.dialogues[0].source_id

    @property
    def source_uri(self) -> str:
        """Return the file of the first dialogue, on whose words the instruction is based."""
        return self.dialogues[0].source_uri


def read_paths(folder: Path) -> Iterator[tuple[PathRow, PathInput]]:
    """Yield every plan with the input that is built from it; plans without steps are skipped."""
    definitions = read_definition_texts(folder)
    utterances = _utterances(folder)
    for row in iter_columns(folder, "planning_paths", PathRow):
        if row.steps:
            yield row, path_input(row, definitions, utterances.get(row.first, ()))


def path_input(
    row: PathRow, definitions: Mapping[str, DefinitionText], utterances: tuple[str, ...]
) -> PathInput:
    """Return the input that is built from a plan.

    Values that the user gave must be stated. Values that the system retrieved or proposed are
    hidden. A default value is neither: no user has to say it, and it gives nothing away.
    """
    definition_texts = [
        definitions.get(step.definition_id) or DefinitionText() for step in row.steps
    ]
    calls = tuple(
        PlannedCall(
            step.app,
            step.api,
            texts.description,
            tuple(_argument(argument, texts, definition_texts) for argument in step.arguments),
            texts.title,
            step.outcome,
        )
        for step, texts in zip(row.steps, definition_texts, strict=True)
    )
    user_values = {
        (value.value, value.name): value for call in calls for value in call.stated_values
    }
    user_texts = {value.value.strip().casefold() for value in user_values.values()}
    hidden = {
        argument.value.value: argument.value
        for call in calls
        for argument in call.arguments
        if argument.origin not in {"user", "default"}
        and argument.value.value.strip().casefold() not in user_texts | INDIFFERENT
    }
    return PathInput(
        utterances,
        calls,
        tuple(user_values.values()),
        tuple(hidden.values()),
        _technical(row),
        tuple(dict.fromkeys(_descriptions(row, definition_texts))),
    )


def _argument(
    row: _ArgumentRow, texts: DefinitionText, calls: Sequence[DefinitionText]
) -> PlannedArgument:
    parameter_text = texts.parameter(row.name)
    value = Value(
        clean_text(row.value, MAX_UTTERANCE),
        row.name,
        parameter_text.titles_of(row.value),
        parameter_text.label,
        parameter_text.about,
    )
    if row.kind == "literal":
        is_user_value = row.provenance in USER_ORIGINS
        origin: Origin = "user" if is_user_value else _ORIGINS.get(row.provenance, "unknown")
        return PlannedArgument(value, origin)
    step = row.from_step if row.from_step is not None else -1
    output = row.output or row.name
    label = calls[step].output(output).label if 0 <= step < len(calls) else label_of(output)
    return PlannedArgument(value, "result", step, label, output)


def _technical(row: PathRow) -> tuple[str, ...]:
    """Return names in the plan that people do not say; single everyday words are left out."""
    names = (
        name
        for step in row.steps
        for name in (
            f"{step.app}.{step.api}",
            step.api,
            step.app,
            *(argument.name for argument in step.arguments),
        )
    )
    return tuple(dict.fromkeys(name for name in names if not name.isalpha() or _has_capital(name)))


def _has_capital(name: str) -> bool:
    return any(sign.isupper() for sign in name[1:])


def _descriptions(row: PathRow, definition_texts: Sequence[DefinitionText]) -> Iterator[str]:
    for step, texts in zip(row.steps, definition_texts, strict=True):
        parameter_texts = (texts.parameter(argument.name).about for argument in step.arguments)
        yield from (text for text in (texts.description, *parameter_texts) if text)


def calls_to_check(calls: tuple[PlannedCall, ...]) -> tuple[Call, ...]:
    """Return the plan's calls, with the texts and values by which checks recognise each of them.

    A value that calls of several APIs have is left out, because it identifies none of them.
    """
    holders: dict[str, set[tuple[str, str]]] = {}
    for call in calls:
        for entry in call.stated_values:
            holders.setdefault(entry.value, set()).add((call.app, call.api))
    return tuple(
        Call(
            (f"{call.app}.{call.api}", call.api, call.app, call.description),
            tuple(value for value in call.stated_values if len(holders[value.value]) == 1),
        )
        for call in calls
    )


class _UtteranceRow(msgspec.Struct, frozen=True, gc=False):
    text: str
    role: str = "user"


class _DialogueRow(msgspec.Struct, frozen=True):
    source_id: str
    source_uri: str
    utterances: tuple[_UtteranceRow, ...]


def _utterances(folder: Path) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the user's utterances of each dialogue; the keys are the dialogue's file and id.

    The result is empty if the folder has no table of dialogues.
    """
    utterances: dict[tuple[str, str], tuple[str, ...]] = {}
    for row in iter_columns(folder, "dialogues", _DialogueRow, optional=True):
        user_texts = [utterance.text for utterance in row.utterances if utterance.role == "user"]
        utterances[row.source_uri, row.source_id] = tuple(
            clean_text(" ".join(text.split()), MAX_UTTERANCE)
            for text in user_texts[:MAX_UTTERANCES]
        )
    return utterances
