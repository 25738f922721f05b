"""Check tasks made from runs of shortcuts, with their calls, words, proofs and scores."""

import json
from collections.abc import Iterator
from contextlib import closing

import msgspec
import pytest

from benchloom.core.errors import RejectedInputError
from benchloom.core.records import ExecutionEffect, Shortcut
from benchloom.device.runs import execution_rows
from benchloom.device.scores import score_shortcut
from benchloom.worlds.proofs import OpenWorlds, prove
from benchloom.worlds.suites.phone import candidates_of
from benchloom.worlds.suites.phone.orders import orders_of
from benchloom.worlds.task import Task
from tests.benchloom.device.test_runs import Part, block, shortcut_of, variable

_COPY: Part = ("setclipboard", {"WFInput": variable("what")})
_ASK: list[Part] = [
    ("ask", {"WFAskActionPrompt": "Buy what?"}),
    ("setvariable", {"WFVariableName": "what"}),
    _COPY,
    ("openurl", {"WFInput": "https://shop.example/list"}),
]
_MENU: list[Part] = [
    ("choosefrommenu", block(0, WFMenuItems=["Bread", "Cake"])),
    ("choosefrommenu", block(1, WFMenuItemTitle="Bread")),
    ("notification", {"WFNotificationActionBody": "Baking"}),
    ("setclipboard", {"WFInput": "Bake some bread"}),
    ("choosefrommenu", block(1, WFMenuItemTitle="Cake")),
    ("addnewreminder", {"WFCalendarItemTitle": "Lemon cake"}),
    ("choosefrommenu", block(2)),
]


@pytest.fixture(scope="module")
def open_worlds() -> Iterator[OpenWorlds]:
    with closing(OpenWorlds()) as worlds:
        yield worlds


def _proved_tasks(shortcut: Shortcut, open_worlds: OpenWorlds) -> list[Task]:
    """Return the proved tasks of a shortcut."""
    candidates = candidates_of(execution_rows(shortcut), 0)
    return [prove(candidate, open_worlds, distractors=3) for candidate in candidates]


def test_shortcut_solves_a_task_only_with_equal_effects(open_worlds: OpenWorlds) -> None:
    (task,) = _proved_tasks(shortcut_of(*_ASK), open_worlds)
    assert [call.tool for call in task.calls] == ["phone.copy_text", "phone.open_url"]
    text = str(task.calls[0].arguments["text"])
    assert text in task.turns[0]
    literal: Part = ("setclipboard", {"WFInput": text})
    solution = shortcut_of(_ASK[3], literal)
    assert score_shortcut(task, solution).solved
    partial_score = score_shortcut(task, shortcut_of(literal))
    assert (partial_score.solved, partial_score.calls, partial_score.collateral) == (False, 1, ())
    extended = shortcut_of(*_ASK[3:], literal, ("addnewreminder", {"WFCalendarItemTitle": "Tea"}))
    assert score_shortcut(task, extended).collateral


def test_compatible_runs_of_shortcuts_become_a_common_task(
    open_worlds: OpenWorlds,
) -> None:
    shortcuts = [shortcut_of(_ASK[3]), shortcut_of(*_MENU), shortcut_of(_COPY, *_ASK[:3])]
    rows = [row for shortcut in shortcuts for row in execution_rows(shortcut)]
    groups = [candidate for candidate in candidates_of(rows, 0) if "," in candidate.source_id]
    assert len(groups) == 3
    for group in groups:
        task = prove(group, open_worlds, distractors=3)
        assert task.kind == "shortcut"
        assert task.proofs.dropped == len(task.calls) > 1
        assert [call.tool for call in task.calls].count("phone.copy_text") <= 1


def test_menu_entries_with_different_effects_become_separate_tasks(open_worlds: OpenWorlds) -> None:
    tasks = _proved_tasks(shortcut_of(*_MENU), open_worlds)
    assert [[call.tool for call in task.calls] for task in tasks] == [
        ["phone.copy_text"],
        ["reminders.create_reminder"],
    ]
    same = [*_MENU[:5], _MENU[3], _MENU[6]]
    assert len(_proved_tasks(shortcut_of(*same), open_worlds)) == 1


@pytest.mark.parametrize(
    ("kind", "details", "reason"),
    [
        ("script", {"text": "1 + 1"}, "unknown_tool"),
        ("clipboard", {"text": "answer 3"}, "underivable"),
        ("clipboard", {"text": "[redacted:email]"}, "underivable"),
        ("clipboard", {"text": '{"a": 1}'}, "underivable"),
        ("clipboard", {"text": "test of the clipboard"}, "underivable"),
        ("opened app", {"app": "org.example.tea"}, "underivable"),
        ("opened URL", {"url": "prefs:root=WIFI"}, "underivable"),
        ("opened URL", {"url": "https://a.org/?q="}, "underivable"),
        ("saved file", {"path": "a.png"}, "refused"),
        ("alert", {"message": "Tea is ready"}, "no_calls"),
        ("notification", {"title": "Tea", "body": "It is ready"}, "no_calls"),
        ("request", {"url": "https://a.org"}, "no_calls"),
        ("added reminder", {"title": "Tea", "refused": "no"}, "no_calls"),
    ],
)
def test_run_without_a_possible_task_has_a_reason(
    kind: str, details: dict[str, object], reason: str, open_worlds: OpenWorlds
) -> None:
    (row, *_) = execution_rows(shortcut_of(("nothing", {})))
    effect = ExecutionEffect(0, kind, json.dumps(details))
    row = msgspec.structs.replace(row, outcome="finished", effects=(effect,))
    (candidate,) = candidates_of([row], 0)
    with pytest.raises(RejectedInputError) as error:
        prove(candidate, open_worlds)
    assert error.value.reason == reason


def test_effects_become_words_and_later_ones_replace_earlier() -> None:
    effects = [
        ("setting", {"wifi": "off", "focus": "sleep"}),
        ("setting", {"wifi": "on", "brightness": 0.25}),
        ("opened app", {"app": "com.apple.mobileslideshow"}),
        ("opened URL", {"url": "https://a.example.org/?q=two cups"}),
        ("opened URL", {"url": "https://a.example.org/?q=two cups"}),
        ("posted", {"service": "Chirper", "items": ["It is ready"]}),
        ("added reminder", {"title": "Tea", "due": "2027-03-16T17:00", "notes": "hot"}),
        ("call", {"to": ["Ada Cole"], "type": "Phone"}),
    ]
    rows = [ExecutionEffect(0, kind, json.dumps(details)) for kind, details in effects]
    assert [order.words for order in orders_of(rows)] == [
        "set the focus to sleep",
        "turn the wifi on",
        "set the brightness to 25%",
        "open the Photos app",
        "open https://a.example.org/?q=two%20cups",
        'post "It is ready" on Chirper',
        'remind me of "Tea" on 16 March 2027 at 17:00',
        "call Ada Cole",
    ]
