"""Check that every redaction finder finds its samples alone, with declared kinds and hints."""

import plistlib
from collections.abc import Iterable
from random import Random

import msgspec
import pytest

from benchloom.normalise.redaction import FINDERS, redact_shortcut, redact_text
from benchloom.normalise.redaction.finders import (
    Field,
    FieldFinder,
    FlowFinder,
    TextFinder,
    folded,
    kinds_of,
)
from benchloom.normalise.redaction.texts import finders_for, scan_text
from parsers.shortcuts import parse_shortcut
from parsers.shortcuts.wording import describe_workflow
from tests.support.samples.redaction import ACTIONS, QUESTION, TEXTS, Action, ActionMaker, TextMaker

ROUNDS = 25


def shortcut_bytes(actions: list[Action], **root: object) -> bytes:
    return plistlib.dumps({"WFWorkflowActions": actions, **root})


def test_every_finder_has_samples() -> None:
    assert set(TEXTS) == set(FINDERS.only(TextFinder))
    assert set(ACTIONS) == {*FINDERS.only(FieldFinder), *FINDERS.only(FlowFinder)}
    assert len(kinds_of(FINDERS.all().values())) >= 20


def covers_the_secrets_of_its_texts(finder: TextFinder, makers: Iterable[TextMaker]) -> None:
    for maker in makers:
        for seed in range(ROUNDS):
            kind, text, secret = maker(Random(seed))
            assert kind in finder.kinds
            for holder in (text, msgspec.json.encode(text).decode()):
                assert finder in finders_for(holder), f"{kind}, seed {seed}: no hint"
            start = text.index(secret)
            assert any(
                span.start <= start and start + len(secret) <= span.end and span.kind == kind
                for span in finder.find(text)
            ), f"{kind}, seed {seed}: not covered"
            assert secret not in redact_text(text).text


def judges_the_fields_of_its_actions(finder: FieldFinder, makers: Iterable[ActionMaker]) -> None:
    for maker in makers:
        for seed in range(ROUNDS):
            kind, actions, secret = maker(Random(seed))
            assert kind in finder.kinds
            judged = [
                judgement for action in actions for judgement in judgements(finder.judge, action)
            ]
            assert kind in judged, f"seed {seed}: {judged}"
            action_text = folded(str(actions)) if finder.folded else str(actions)
            assert finder.hint.search(action_text), f"seed {seed}: no hint"
            assert secret in str(actions)


def marks_the_flows_of_its_actions(finder: FlowFinder, makers: Iterable[ActionMaker]) -> None:
    for maker in makers:
        kind, actions, secret = maker(Random(1))
        data = shortcut_bytes(actions, WFWorkflowImportQuestions=[QUESTION])
        shortcut = parse_shortcut(data, "sample")
        assert kind in finder.kinds
        assert kind in finder.find(shortcut, scan_text).values()
        redacted = redact_shortcut(shortcut, describe_workflow)
        assert secret not in str(redacted)
        assert secret in str(shortcut)


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_text_finder_covers_the_secrets_of_its_texts(name: str) -> None:
    covers_the_secrets_of_its_texts(FINDERS.only(TextFinder)[name], TEXTS[name])


@pytest.mark.parametrize("name", sorted(FINDERS.only(FieldFinder)))
def test_field_finder_judges_the_fields_of_its_actions(name: str) -> None:
    judges_the_fields_of_its_actions(FINDERS.only(FieldFinder)[name], ACTIONS[name])


@pytest.mark.parametrize("name", sorted(FINDERS.only(FlowFinder)))
def test_flow_finder_marks_the_flows_of_its_actions(name: str) -> None:
    marks_the_flows_of_its_actions(FINDERS.only(FlowFinder)[name], ACTIONS[name])


def judgements(judge: object, action: Action) -> list[str | None]:
    """Return the finder's judgement of every named value of an action."""
    assert callable(judge)
    answers: list[str | None] = []
    pending: list[tuple[tuple[str, ...], object]] = [
        ((key,), value)
        for key, value in dict(action["WFWorkflowActionParameters"]).items()  # type: ignore[call-overload]  # an action is nested JSON
    ]
    while pending:
        path, value = pending.pop()
        answers.append(judge(Field(str(action["WFWorkflowActionIdentifier"]), path, value)))
        if isinstance(value, dict):
            label = value.get("WFKey", {}).get("Value", {}).get("string")
            pending += [
                ((*path, label if label and key == "WFValue" else key), child)
                for key, child in value.items()
            ]
        elif isinstance(value, list):
            pending += [(path, child) for child in value]
    return answers
