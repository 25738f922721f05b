"""The app for the user's reminders, which are in lists and may refer to a mail or an event."""

from datetime import timedelta
from typing import Annotated, Literal, TypeAlias

import msgspec

from benchloom.worlds.everyday.rules import (
    Date,
    Id,
    Limit,
    Moment,
    Name,
    Query,
    Title,
    changes,
    choice,
    day,
    drawn,
    future,
    iso_minute,
    moment,
    refuse_if_any,
    today,
)
from benchloom.worlds.everyday.tables import Table
from benchloom.worlds.state import RefusedError, State
from benchloom.worlds.tool import App, read_tool, tool, tools_of

_LIST_NAMES = (
    ("errands", "Errands", 0),
    ("home", "Home", 0),
    ("work", "Work", 0),
    ("flat", "Flat", 1),
)
_TASKS = {
    "errands": ("Buy {}", "Fetch {}", "Return {}", "Ask the shop for {}"),
    "home": ("Mend {}", "Clean {}", "Paint {}", "Take photos of {}"),
    "work": ("Finish {}", "Print {}", "Check {}", "Send {}"),
    "flat": ("Share the cost of {}", "Decide on {}"),
}
_REMINDER_TEXTS = {
    "errands": ("the candles", "the curtains", "the kettle", "the garden chairs", "the lamp oil"),
    "home": ("the gate", "the shelf", "the bicycle", "the gutter", "the lamp"),
    "work": ("the price list", "the drawings", "the letter", "the figures", "the plan"),
    "flat": ("the new stairs", "the bins"),
}


Priority: TypeAlias = Literal["low", "normal", "high"]
Before: TypeAlias = Annotated[int, msgspec.Meta(ge=5, le=10_080)]
MAX_OPEN = 40
_SCHEMA = """
CREATE TABLE reminder_lists (
    list_id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    locked INTEGER NOT NULL CHECK (locked IN (0, 1))
) STRICT;
CREATE TABLE reminders (
    reminder_id TEXT PRIMARY KEY,
    list_id TEXT NOT NULL REFERENCES reminder_lists (list_id),
    title TEXT NOT NULL,
    due TEXT,
    priority TEXT NOT NULL CHECK (priority IN ('low', 'normal', 'high')),
    done INTEGER NOT NULL CHECK (done IN (0, 1)),
    mail_id TEXT REFERENCES mails (mail_id) ON DELETE SET NULL,
    event_id TEXT REFERENCES events (event_id) ON DELETE SET NULL
) STRICT;
CREATE INDEX reminders_by_mail ON reminders (mail_id);
CREATE INDEX reminders_by_event ON reminders (event_id);
"""


class ReminderList(msgspec.Struct, frozen=True):
    """A list; a `locked` list belongs to another person, and the user can only read it."""

    list_id: str
    name: str
    locked: bool


class Reminder(msgspec.Struct, frozen=True):
    """A reminder; `mail_id` or `event_id` is its subject, if any."""

    reminder_id: str
    list_id: str
    title: str
    due: str | None
    priority: Priority
    done: bool
    mail_id: str | None
    event_id: str | None


LISTS = Table("reminder_lists", ReminderList)
REMINDERS = Table(
    "reminders",
    Reminder,
    id_of=("list_id", "title"),
    order="due IS NULL, due, title, reminder_id",
    searched=("title",),
)


@read_tool(query="a part of the name; all lists if it is empty.")
def search_lists(state: State, *, query: Query = "") -> list[ReminderList]:
    """Find lists of reminders, by name."""
    return LISTS.search(state, query)


@tool(name="a name that no other list has.")
def create_list(state: State, *, name: Name) -> ReminderList:
    """Create a list of reminders."""
    return LISTS.add(state, name=name, locked=0)


@read_tool(
    query="a part of the title.",
    list_id="only reminders in this list.",
    done="only reminders that are done (true) or open (false).",
    priority="only reminders of this priority.",
    due_until="only reminders that are due on this day or earlier.",
)
def search_reminders(
    state: State,
    *,
    query: Query = "",
    list_id: Id | None = None,
    done: bool | None = None,
    priority: Priority | None = None,
    due_until: Date | None = None,
    limit: Limit = 20,
) -> list[Reminder]:
    """Find reminders, by due time; reminders without a due time come last."""
    if list_id is not None:
        state.row("reminder_lists", list_id=list_id)
    where = {"due < ?": (day(due_until) + timedelta(days=1)).isoformat() if due_until else None}
    return REMINDERS.search(
        state, query, limit, where, list_id=list_id, done=done, priority=priority
    )


get_reminder = REMINDERS.get_tool("reminders.get_reminder", "Look at one reminder.")


@tool(title="the title.", priority="the priority.")
def create_reminder(
    state: State,
    *,
    title: Title,
    list_id: Id = "home",
    due: Moment | None = None,
    priority: Priority = "normal",
) -> Reminder:
    """Create a reminder; its title must be unique among the open reminders of the list."""
    return _add(state, title, list_id, due, priority=priority)


@tool()
def remind_of_mail(state: State, *, mail_id: Id, due: Moment, list_id: Id = "home") -> Reminder:
    """Create a reminder of a mail; its title is the subject."""
    subject = str(state.row("mails", mail_id=mail_id)["subject"])
    refuse_if_any(state, "the mail already has a reminder", "reminders", mail_id=mail_id, done=0)
    return _add(state, f"Mail: {subject}", list_id, due, mail_id=mail_id)


@tool(minutes_before="the minutes before the start of the event.")
def remind_of_event(
    state: State, *, event_id: Id, minutes_before: Before = 60, list_id: Id = "home"
) -> Reminder:
    """Create a reminder of an event of the calendar; its title is the title of the event."""
    event = state.row("events", event_id=event_id)
    refuse_if_any(state, "the event already has a reminder", "reminders", event_id=event_id, done=0)
    due = iso_minute(moment(str(event["start"])) - timedelta(minutes=minutes_before))
    return _add(state, f"Event: {event['title']}", list_id, due, event_id=event_id)


@tool(
    title="the new title.",
    list_id="the new list.",
    due="the new due time, in the future.",
    priority="the new priority.",
)
def update_reminder(
    state: State,
    *,
    reminder_id: Id,
    title: Title | None = None,
    list_id: Id | None = None,
    due: Moment | None = None,
    priority: Priority | None = None,
) -> Reminder:
    """Change a reminder that is not done."""
    updates = changes(title=title, list_id=list_id, due=due, priority=priority)
    before = _open_reminder(state, reminder_id)
    if list_id is not None:
        _own_list(state, list_id)
    if due is not None:
        future(state, due)
    if title is not None or list_id is not None:
        _refuse_duplicate(state, title or before.title, list_id or before.list_id, reminder_id)
    return REMINDERS.change(state, reminder_id, **updates)


@tool(reminder_id="the id of the reminder.")
def complete_reminder(state: State, *, reminder_id: Id) -> Reminder:
    """Mark a reminder as done."""
    _open_reminder(state, reminder_id)
    return REMINDERS.change(state, reminder_id, done=1)


@tool()
def delete_reminder(state: State, *, reminder_id: Id) -> Reminder:
    """Delete a reminder, done or open, and return it."""
    _own_list(state, REMINDERS.get(state, reminder_id).list_id)
    return REMINDERS.remove(state, reminder_id)


def _add(
    state: State,
    title: str,
    list_id: str,
    due: str | None,
    *,
    priority: Priority = "normal",
    mail_id: str | None = None,
    event_id: str | None = None,
) -> Reminder:
    name = _own_list(state, list_id)
    if due is not None:
        future(state, due)
    _refuse_duplicate(state, title, list_id)
    open_rows = state.rows("SELECT 1 FROM reminders WHERE list_id = ? AND done = 0", list_id)
    if len(open_rows) >= MAX_OPEN:
        raise RefusedError("unavailable", f"{name} is full: it has {MAX_OPEN} open reminders")
    return REMINDERS.add(
        state,
        list_id=list_id,
        title=title,
        due=due,
        priority=priority,
        done=0,
        mail_id=mail_id,
        event_id=event_id,
    )


def _own_list(state: State, list_id: str) -> str:
    reminder_list = LISTS.get(state, list_id)
    if reminder_list.locked:
        raise RefusedError("permission", f"the list {reminder_list.name} belongs to another person")
    return reminder_list.name


def _open_reminder(state: State, reminder_id: str) -> Reminder:
    reminder = REMINDERS.get(state, reminder_id)
    _own_list(state, reminder.list_id)
    if reminder.done:
        raise RefusedError("conflict", "the reminder is already done")
    return reminder


def _refuse_duplicate(state: State, title: str, list_id: str, but: str = "") -> None:
    message = f"the list already has an open reminder {title!r}"
    conditions = {"reminder_id <> ?": but}
    refuse_if_any(state, message, "reminders", conditions, title=title, list_id=list_id, done=0)


def _fill(state: State) -> None:
    for row_id, name, locked in _LIST_NAMES:
        state.add("reminder_lists", list_id=row_id, name=name, locked=locked)
    for list_id, tasks in _TASKS.items():
        for task in tasks:
            for thing in _REMINDER_TEXTS[list_id]:
                title = task.format(thing)
                if drawn(3, "left out", title):
                    _fill_reminder(state, list_id, title)


def _fill_reminder(state: State, list_id: str, title: str) -> None:
    done = drawn(4, "done", title) == 0
    due: str | None = None
    if drawn(3, "due", title):
        hours = timedelta(hours=drawn(20 * 24, "hours", title) + 1)
        clock = moment(today(state)) + timedelta(hours=10)
        due = iso_minute(clock - hours if done else clock + hours)
    REMINDERS.add(
        state,
        list_id=list_id,
        title=title,
        due=due,
        priority=choice(("low", "normal", "normal", "high"), "priority", title),
        done=int(done),
    )


APP = App(
    schema=_SCHEMA,
    fill=_fill,
    tools=tools_of(
        "reminders",
        globals(),
        descriptions={
            "list_id": "the list; the default is Home.",
            "due": "the due time, in the future.",
            "reminder_id": "its id.",
        },
    ),
    needs=("mail", "calendar"),
    goals={
        "complete_reminder": "tick off a reminder",
        "create_list": "create a list of reminders",
        "create_reminder": "set a reminder",
        "remind_of_event": "set a reminder for an event",
        "remind_of_mail": "set a reminder about a mail",
        "update_reminder list_id": "move a reminder to another list",
    },
)
