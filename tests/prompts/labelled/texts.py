"""The labelled texts: what was written for which target, and which flaw it has."""

import hashlib
from pathlib import Path

import msgspec

from prompts.inputs.planning_paths import PathInput
from prompts.inputs.shortcuts import ShortcutInput
from prompts.steps import STEPS, Case, Written
from prompts.steps.parameters import STEP as PARAMETERS
from prompts.steps.parameters import ParametersInput, StatedParameter
from prompts.styles import style_named
from prompts.subject import Subject, Value

Cases = dict[tuple[str, str], Case[msgspec.Struct]]

FOLDER = Path(__file__).parent
STEP_OF = {"queries": "query", "instructions": "instruction", "labels": "category"}
BEYOND_RULES = frozenset({"swapped", "reversed", "wrong_service"})
"""Flaws of meaning: no rule sees them, a judge has to."""


class Earlier(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text of the same run that was written before."""

    target: str
    text: str
    style: str = ""
    category: str = ""


class LabelledText(Earlier, frozen=True, forbid_unknown_fields=True):
    """One labelled text; `flaw` is empty for a good one.

    `style` is the one it was written in, if not the style that its target draws. Judged parameters
    are values in `stated` and `absent`, or the numbers of those judged stated.
    """

    flaw: str = ""
    after: Earlier | None = None
    stated: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    stated_numbers: tuple[int, ...] | None = None

    @property
    def held_out(self) -> bool:
        """Half of the texts are never looked at while rules are written."""
        return hashlib.sha256(f"{self.target}:{self.text}".encode()).digest()[0] % 2 == 0


def parameters_of(text: LabelledText, cases: Cases) -> ParametersInput:
    """The values that a judge of parameters is asked about, those to be said first."""
    shortcut = cases["query", text.target].input
    assert isinstance(shortcut, ShortcutInput)
    decisions = [entry for entry in shortcut.decisions if entry.say != "never"]
    decisions.sort(key=lambda entry: entry.say != "say")
    return ParametersInput(text.text, tuple(decisions))


def load_texts() -> dict[str, tuple[LabelledText, ...]]:
    """The texts by the name of their file."""
    return {
        path.stem: msgspec.yaml.decode(path.read_bytes(), type=tuple[LabelledText, ...])
        for path in sorted(FOLDER.glob("*.yaml"))
        if path.stem != "targets"
    }


def subject_of(file: str, labelled: Earlier, cases: Cases) -> Subject:
    """Subject of the checks of a text: the text with the facts of its target."""
    step = STEPS.find(STEP_OF[file])
    text, step_input = labelled.text, cases[step.name, labelled.target].input
    if labelled.style and isinstance(step_input, ShortcutInput | PathInput):
        step_input = msgspec.structs.replace(step_input, style=style_named(labelled.style))
    written = Written(text, category=labelled.category)
    subject = step.subject(f"{labelled.target}:{text}", step_input, written)
    filled = text
    if "{source}" in text and isinstance(step_input, ShortcutInput):
        sources = (step_input.description, *step_input.comments)
        filled = text.replace("{source}", max(sources, key=len))
    if "{description}" in text:
        filled = text.replace("{description}", subject.calls[0].words[-1])
    return msgspec.structs.replace(subject, text=filled)


def judgement_of(text: LabelledText, cases: Cases) -> Subject:
    """Subject of the checks of judged parameters: values judged stated, and judged absent."""
    query_id = f"{text.target}:{text.text}"
    if text.stated_numbers is not None:
        step_input = parameters_of(text, cases)
        stated = [
            StatedParameter(c.action_index, c.api, c.parameter, c.value, "stated", text.text)
            for number, c in enumerate(step_input.parameters)
            if number in text.stated_numbers
        ]
        written = Written(text.text, msgspec.json.encode(stated).decode())
        return PARAMETERS.subject(query_id, step_input, written)
    return Subject(
        query_id,
        "parameters",
        text.text,
        required=tuple(Value(value) for value in text.stated),
        hidden=tuple(Value(value) for value in text.absent),
    )
