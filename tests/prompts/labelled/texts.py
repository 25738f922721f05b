"""The labelled texts: what was written for which target, and which flaw it has."""

import hashlib
from pathlib import Path

import msgspec

from prompts.inputs.shortcuts import ShortcutInput
from prompts.steps import STEPS
from prompts.steps.base import Case, Written
from prompts.subject import Subject, Value

FOLDER = Path(__file__).parent
STEP_OF = {"queries": "query", "instructions": "instruction", "labels": "category"}
BEYOND_RULES = frozenset({"swapped", "reversed", "wrong_service"})
"""Flaws of meaning: no rule sees them, a judge has to."""


class Earlier(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text of the same run that was written before."""

    target: str
    text: str


class LabelledText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One labelled text; `flaw` is empty for a good one."""

    target: str
    text: str
    flaw: str = ""
    after: Earlier | None = None
    stated: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()

    @property
    def held_out(self) -> bool:
        """Half of the texts are never looked at while rules are written."""
        return hashlib.sha256(f"{self.target}:{self.text}".encode()).digest()[0] % 2 == 0


def load_texts() -> dict[str, tuple[LabelledText, ...]]:
    """The texts by the name of their file."""
    return {
        path.stem: msgspec.yaml.decode(path.read_bytes(), type=tuple[LabelledText, ...])
        for path in sorted(FOLDER.glob("*.yaml"))
        if path.stem != "targets"
    }


def subject_of(
    file: str, target: str, text: str, cases: dict[tuple[str, str], Case[msgspec.Struct]]
) -> Subject:
    """What the checks of a text see of its target."""
    step = STEPS.find(STEP_OF[file])
    case = cases[step.name, target]
    subject = step.subject(f"{target}:{text}", case.given, Written(text))
    filled = text
    if "{source}" in text and isinstance(case.given, ShortcutInput):
        written = (case.given.description, *case.given.comments)
        filled = text.replace("{source}", max(written, key=len))
    if "{description}" in text:
        filled = text.replace("{description}", subject.calls[0].words[-1])
    return msgspec.structs.replace(subject, text=filled)


def judgement_of(text: LabelledText) -> Subject:
    """What the checks see of judged parameters: values judged stated, and judged absent."""
    return Subject(
        f"{text.target}:{text.text}",
        "parameters",
        text.text,
        required=tuple(Value(value) for value in text.stated),
        hidden=tuple(Value(value) for value in text.absent),
    )
