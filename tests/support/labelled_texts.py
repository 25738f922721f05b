"""Hand-labelled texts as inputs of the checks, with styles, labels and categories.

A digest selects half of the texts as held out: authors of rules must not look at them.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from benchloom.core.errors import RunError
from prompts.checks import checks_for
from prompts.inputs.planning_paths import PathInput, PlannedArgument, PlannedCall
from prompts.inputs.shortcuts import ApiText, ShortcutInput
from prompts.language.value_texts.decisions import Decision
from prompts.steps import Written
from prompts.steps.category import STEP as CATEGORY
from prompts.steps.instruction import STEP as INSTRUCTION
from prompts.steps.parameters import STEP as PARAMETERS
from prompts.steps.parameters import ParametersInput, StatedParameter
from prompts.steps.query import STEP as QUERY
from prompts.styles import STYLES
from prompts.subject import Subject, Value

FOLDER = Path(__file__).parents[1] / "data/labelled_texts"
GOOD, TERSE = "good", "terse"
R = TypeVar("R", bound=msgspec.Struct)
_STYLES = {style.name: style for style in STYLES}


class _Texts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Texts about a target: good texts, good texts in terse style, and flawed texts by flaw."""

    good: tuple[str, ...]
    terse: tuple[str, ...]
    flawed: dict[str, tuple[str, ...]]


class ShortcutTexts(_Texts, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Texts about a shortcut; their labels have the form `category | name: description`."""

    name: str
    description: str
    workflow: tuple[str, ...]
    apis: tuple[str, ...]
    values: tuple[Value, ...]
    labels: tuple[str, ...] = ()
    flawed_labels: dict[str, tuple[str, ...]] = {}


class CallValues(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A call of a plan with the values that the user states and the values of later results."""

    api: str
    does: str
    values: tuple[Value, ...]
    hidden: tuple[Value, ...] = ()


class PlanTexts(_Texts, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Texts about a plan."""

    said: tuple[str, ...]
    calls: tuple[CallValues, ...]


class JudgedTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Requests with the parameters that a judge calls stated, rightly or wrongly."""

    parameters: tuple[Value, ...]
    judged: dict[str, tuple[str, ...]]
    misjudged: dict[str, tuple[str, ...]]


class LabelledText(msgspec.Struct, frozen=True):
    """A labelled text; `flaw` is empty for a good text, and `group` is a name of `LEAST`."""

    group: str
    flaw: str
    subject: Subject

    @property
    def held_out(self) -> bool:
        """Return whether the text is in the half that authors of rules must not look at."""
        return hashlib.sha256(self.subject.text.encode()).digest()[0] % 2 == 0

    def drops(self) -> tuple[str, ...]:
        """Return the names of the checks that drop the text."""
        subject = self.subject
        return tuple(
            check.name for check in checks_for(subject.kind) if not check.examine(subject).kept
        )


def load_texts(folder: Path = FOLDER) -> tuple[LabelledText, ...]:
    """Return the labelled texts about shortcuts, plans and judged parameters.

    Raises:
        RunError: a file cannot be read.
    """
    return (
        *(t for rows in _rows(folder, "queries", ShortcutTexts) for t in _about_shortcut(rows)),
        *(t for rows in _rows(folder, "instructions", PlanTexts) for t in _about_plan(rows)),
        *(t for rows in _rows(folder, "parameters", JudgedTexts) for t in _judged(rows)),
    )


def _rows(folder: Path, name: str, row: type[R]) -> tuple[R, ...]:
    path = folder / f"{name}.yaml"
    try:
        return msgspec.yaml.decode(path.read_bytes(), type=tuple[row, ...])  # type: ignore[valid-type]  # the type exists only at run time
    except (OSError, msgspec.ValidationError, msgspec.DecodeError) as error:
        raise RunError(f"{path.name}: {error}") from error


def _texts_by_flaw(texts: _Texts) -> Iterator[tuple[str, str, str]]:
    """Yield the group, the flaw and the text of every text."""
    yield from ((GOOD, "", text) for text in texts.good)
    yield from ((TERSE, "", text) for text in texts.terse)
    yield from (
        ("flawed", flaw, text)
        for flaw, flawed_texts in texts.flawed.items()
        for text in flawed_texts
    )


def _about_shortcut(texts: ShortcutTexts) -> Iterator[LabelledText]:
    step_input = ShortcutInput(
        texts.name,
        texts.description,
        (),
        "\n".join(texts.workflow),
        tuple(ApiText(title, "") for title in texts.apis),
        texts.values,
        technical=tuple(title for title in texts.apis if " " in title),
    )
    for group, flaw, text in _texts_by_flaw(texts):
        styled = step_input
        if group == TERSE:
            styled = msgspec.structs.replace(step_input, style=_STYLES[TERSE])
        subject = QUERY.subject(f"labelled:{text}", styled, Written(text))
        yield LabelledText(group, flaw, subject)
    labels = [("label", "", text) for text in texts.labels]
    labels += [
        ("flawed_label", flaw, t)
        for flaw, flawed_texts in texts.flawed_labels.items()
        for t in flawed_texts
    ]
    for group, flaw, text in labels:
        category, _, label = text.partition(" | ")
        written = Written(label, category=category)
        yield LabelledText(group, flaw, CATEGORY.subject(f"labelled:{text}", step_input, written))


def _about_plan(texts: PlanTexts) -> Iterator[LabelledText]:
    calls = tuple(map(_call, texts.calls))
    step_input = PathInput(
        texts.said,
        calls,
        tuple(value for call in texts.calls for value in call.values),
        tuple(value for call in texts.calls for value in call.hidden),
        tuple(name for call in texts.calls for name in call.api.split(".")),
        tuple(call.does for call in texts.calls),
    )
    for group, flaw, text in _texts_by_flaw(texts):
        styled = step_input
        if group == TERSE:
            styled = msgspec.structs.replace(step_input, style=_STYLES[TERSE])
        subject = INSTRUCTION.subject(f"labelled:{text}", styled, Written(text))
        yield LabelledText(group, flaw, subject)


def _call(call: CallValues) -> PlannedCall:
    app, _, api = call.api.partition(".")
    arguments = (
        *(PlannedArgument(value, "user") for value in call.values),
        *(PlannedArgument(value, "result", 0) for value in call.hidden),
    )
    return PlannedCall(app, api, call.does, arguments)


def _judged(texts: JudgedTexts) -> Iterator[LabelledText]:
    candidates = tuple(
        Decision(number, "", value.name, value.value, "say", "text", value.label, value.titles)
        for number, value in enumerate(texts.parameters)
    )
    judgements = [("judged", "", *entry) for entry in texts.judged.items()]
    judgements += [("misjudged", "misjudged", *entry) for entry in texts.misjudged.items()]
    for group, flaw, text, stated in judgements:
        structured = [
            StatedParameter(c.action_index, c.api, c.parameter, c.value, "stated", text)
            for c in candidates
            if c.parameter in stated
        ]
        written = Written(text, msgspec.json.encode(structured).decode())
        subject = PARAMETERS.subject(f"labelled:{text}", ParametersInput(text, candidates), written)
        yield LabelledText(group, flaw, subject)
