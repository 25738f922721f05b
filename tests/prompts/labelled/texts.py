"""Load the labelled texts, each with the target that it was written for and its flaw."""

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
"""Flaws of meaning, which a judge has to find because no rule can."""


class Earlier(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text that was written earlier in the same run."""

    target: str
    text: str
    style: str = ""
    category: str = ""


class LabelledText(Earlier, frozen=True, forbid_unknown_fields=True):
    """A labelled text, whose `flaw` is empty if the text is good.

    `style` is the style of the text if it differs from the style that its target draws. For judged
    parameters, `stated` and `absent` contain their values, or `stated_numbers` the numbers of the
    parameters that were judged stated.
    """

    flaw: str = ""
    after: Earlier | None = None
    stated: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    stated_numbers: tuple[int, ...] | None = None

    @property
    def held_out(self) -> bool:
        """Return whether the text is in the half that is not read while rules are written."""
        return hashlib.sha256(f"{self.target}:{self.text}".encode()).digest()[0] % 2 == 0


def parameters_of(text: LabelledText, cases: Cases) -> ParametersInput:
    """Return the values to ask a judge of parameters about, values to be stated first."""
    shortcut = cases["query", text.target].input
    assert isinstance(shortcut, ShortcutInput)
    decisions = [entry for entry in shortcut.decisions if entry.say != "never"]
    decisions.sort(key=lambda entry: entry.say != "say")
    return ParametersInput(text.text, tuple(decisions))


def load_texts() -> dict[str, tuple[LabelledText, ...]]:
    """Return the labelled texts, keyed by the name of their file."""
    return {
        path.stem: msgspec.yaml.decode(path.read_bytes(), type=tuple[LabelledText, ...])
        for path in sorted(FOLDER.glob("*.yaml"))
        if path.stem != "targets"
    }


def subject_of(file: str, labelled: Earlier, cases: Cases) -> Subject:
    """Return the subject for checks, made of the text and the facts of its target."""
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
    """Return the subject for checks of parameters judged stated and judged absent."""
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
