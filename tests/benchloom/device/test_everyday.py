"""Check that shortcuts change the apps of the everyday world and later steps find the changes."""

import pytest

from benchloom.core.records.values import Plain
from benchloom.device.answers import AnswersFile
from benchloom.device.runs import run
from benchloom.worlds.everyday import everyday
from benchloom.worlds.session import Session
from tests.benchloom.device.test_runs import Part, shortcut_of, variable

_TEA = ("addnewreminder", {"WFCalendarItemTitle": "Tea", "WFAlertCustomTime": "2027-03-16 17:00"})


def _filter_action(name: str, *rows: dict[str, object], prefix: int = 1) -> Part:
    """Return a filter action; all rows must match, or any row with the prefix 0."""
    table = {
        "WFActionParameterFilterTemplates": list(rows),
        "WFActionParameterFilterPrefix": prefix,
    }
    return name, {"WFContentItemFilter": {"Value": table}}


def _filter_row(name: str, operator: int, **values: object) -> dict[str, object]:
    """Return a row that compares a property with values."""
    return {"Property": name, "Operator": operator, "Values": values}


@pytest.mark.parametrize(
    ("steps", "tool", "arguments"),
    [
        (
            [_TEA],
            "reminders.create_reminder",
            {"title": "Tea", "due": "2027-03-16T17:00"},
        ),
        (
            [("createnote", {"WFCreateNoteInput": "Tea\ngreen"})],
            "notes.create_note",
            {"title": "Tea", "text": "Tea\ngreen"},
        ),
        (
            [("gettext", {"WFTextActionText": "Tea"}), ("addnewreminder", {})],
            "reminders.create_reminder",
            {"title": "Tea"},
        ),
    ],
)
def test_shortcut_and_tool_reach_the_same_digest(
    steps: list[Part], tool: str, arguments: dict[str, Plain]
) -> None:
    with Session(everyday()) as session:
        assert session.call(tool, arguments).refused is None
        assert run(shortcut_of(*steps)).state["everyday"] == session.digest()


def test_only_messages_to_contacts_change_the_world() -> None:
    steps: list[Part] = [
        ("selectcontacts", {}),
        ("setvariable", {"WFVariableName": "who"}),
        (
            "sendmessage",
            {"WFSendMessageContent": "Tea?", "WFSendMessageActionRecipients": variable("who")},
        ),
    ]
    contact_run = run(shortcut_of(*steps), answers=AnswersFile({"0": ["Ada Cole"]}))
    assert contact_run.effects[0].details["to"] == ["Ada Cole"]
    stranger = {"WFSendMessageContent": "Tea?", "WFSendMessageActionRecipients": "Nobody"}
    other_run = run(shortcut_of(("sendmessage", stranger)))
    assert contact_run.state["everyday"]
    assert (other_run.effects[0].details["to"], other_run.state["everyday"]) == (["Nobody"], "")


@pytest.mark.parametrize(
    ("search", "count"),
    [
        (_filter_action("filter.reminders", _filter_row("Name", 4, String="Tea")), 1),
        (_filter_action("filter.reminders", _filter_row("Title", 99, String="Te")), 1),
        (_filter_action("filter.reminders", _filter_row("Name", 4, String="Nothing")), 0),
        (
            _filter_action(
                "filter.reminders", _filter_row("Name", 8, String="Te"), _filter_row("List", 4)
            ),
            0,
        ),
        (
            _filter_action(
                "filter.reminders",
                _filter_row("Name", 8, String="Te"),
                _filter_row("List", 4),
                prefix=0,
            ),
            1,
        ),
        (
            _filter_action(
                "filter.reminders",
                _filter_row("Name", 4, String="Tea"),
                _filter_row("Due Date", 1002),
            ),
            0,
        ),
        (
            _filter_action(
                "filter.reminders",
                _filter_row("Name", 4, String="Tea"),
                _filter_row("Due Date", 1000, Number=2, Unit=16),
            ),
            1,
        ),
        (
            _filter_action(
                "filter.reminders",
                _filter_row("Name", 4, String="Tea"),
                _filter_row("Due Date", 1001, Number=2, Unit=16),
            ),
            0,
        ),
        (
            _filter_action(
                "filter.reminders",
                _filter_row("Name", 4, String="Tea"),
                _filter_row("Is Completed", 4, Bool=False),
            ),
            1,
        ),
    ],
)
def test_reminder_search_applies_its_filter_rows(search: Part, count: int) -> None:
    assert run(shortcut_of(_TEA, search, ("count", {}))).output == (count,)


def test_reminder_can_be_removed_but_not_duplicated() -> None:
    removed = run(shortcut_of(_TEA, ("removereminders", {})))
    with Session(everyday()) as session:
        assert removed.state["everyday"] == session.digest()
    duplicate = run(shortcut_of(_TEA, _TEA))
    assert duplicate.outcome == "finished"
    assert ["refused" in effect.details for effect in duplicate.effects] == [False, True]


def test_apps_use_the_clock_of_the_answers_file() -> None:
    steps: list[Part] = [_TEA, ("getupcomingreminders", {"WFGetUpcomingItemCount": 99})]
    before_due, after_due = (
        run(shortcut_of(*steps), answers=AnswersFile(now=now))
        for now in ("2027-03-16T16:00:00+00:00", "2027-03-16T18:00:00+00:00")
    )
    assert "Tea" in str(before_due.output)
    assert [
        effect.details.get("refused") for effect in (*before_due.effects, *after_due.effects)
    ] == [
        None,
        "2027-03-16T17:00 is in the past; now is 2027-03-16T18:00",
    ]
