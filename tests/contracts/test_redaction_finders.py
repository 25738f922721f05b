"""Every redaction finder finds its samples by itself, declares their kinds and hints at them."""

import plistlib
from random import Random

import msgspec
import pytest

from benchloom.normalise.redaction import FINDERS, redact_shortcut, redacted_kinds
from benchloom.normalise.redaction.finder import Field, FieldFinder, FlowFinder, TextFinder, folded
from parsers.shortcuts import parse_shortcut
from parsers.shortcuts.wording.workflow import describe_workflow
from tests.redaction_samples import ACTIONS, QUESTION, TEXTS, Action

ROUNDS = 25


def shortcut_bytes(actions: list[Action], **root: object) -> bytes:
    return plistlib.dumps({"WFWorkflowActions": actions, **root})


def test_every_finder_has_samples() -> None:
    assert set(TEXTS) == set(FINDERS.only(TextFinder))
    assert set(ACTIONS) == {*FINDERS.only(FieldFinder), *FINDERS.only(FlowFinder)}
    assert len(redacted_kinds()) >= 20


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_text_finder_covers_its_samples(name: str) -> None:
    finder = FINDERS.only(TextFinder)[name]
    for maker in TEXTS[name]:
        for seed in range(ROUNDS):
            kind, text, secret = maker(Random(seed))
            assert kind in finder.kinds
            for holder in (text, msgspec.json.encode(text).decode()):
                assert finder.may_hold(holder, folded(holder)), f"{name}, seed {seed}: no hint"
            start = text.index(secret)
            assert any(
                span.start <= start and start + len(secret) <= span.end and span.kind == kind
                for span in finder.find(text)
            ), f"{name}, {kind}, seed {seed}: not covered"


@pytest.mark.parametrize("name", sorted(FINDERS.only(FieldFinder)))
def test_field_finder_judges_its_samples(name: str) -> None:
    finder = FINDERS.only(FieldFinder)[name]
    for maker in ACTIONS[name]:
        for seed in range(ROUNDS):
            kind, actions, secret = maker(Random(seed))
            assert kind in finder.kinds
            judged = [found for action in actions for found in judgements(finder.judge, action)]
            assert kind in judged, f"{name}, seed {seed}: {judged}"
            shown = folded(str(actions)) if finder.folded else str(actions)
            assert finder.hint.search(shown), f"{name}, seed {seed}: no hint"
            assert secret in str(actions)


def judgements(judge: object, action: Action) -> list[str | None]:
    """What the finder says about every named value of an action."""
    assert callable(judge)
    found: list[str | None] = []
    pending: list[tuple[tuple[str, ...], object]] = [
        ((key,), value)
        for key, value in dict(action["WFWorkflowActionParameters"]).items()  # type: ignore[call-overload]
    ]
    while pending:
        path, value = pending.pop()
        found.append(judge(Field(str(action["WFWorkflowActionIdentifier"]), path, value)))
        if isinstance(value, dict):
            label = value.get("WFKey", {}).get("Value", {}).get("string")
            pending += [
                ((*path, label if label and key == "WFValue" else key), child)
                for key, child in value.items()
            ]
        elif isinstance(value, list):
            pending += [(path, child) for child in value]
    return found


@pytest.mark.parametrize("name", sorted(FINDERS.only(FlowFinder)))
def test_flow_finder_marks_its_samples(name: str) -> None:
    finder = FINDERS.only(FlowFinder)[name]
    for maker in ACTIONS[name]:
        kind, actions, secret = maker(Random(1))
        data = shortcut_bytes(actions, WFWorkflowImportQuestions=[QUESTION])
        shortcut = parse_shortcut(data, "sample")
        assert kind in finder.kinds
        assert finder.find(shortcut) == {(0, "WFTextActionText"): kind}
        redacted = redact_shortcut(shortcut, describe_workflow)
        assert secret not in str(redacted)
        assert secret in str(shortcut)
