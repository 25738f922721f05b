"""Connect shortcuts to the simulated everyday apps, whose rows they read and change by tools.

Shortcuts and agents change the same tables, so that the digests of their results are comparable.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import datetime, tzinfo
from functools import cache
from typing import NamedTuple, TypeAlias

from benchloom.core.records.values import Plain
from benchloom.device.items import AppItem, Contact, Content, Item
from benchloom.worlds.everyday import everyday
from benchloom.worlds.session import Outcome, Session, digest_of
from benchloom.worlds.state import Cell, Row

Names: TypeAlias = Mapping[Cell, Cell]


class Everyday:
    """The simulated everyday apps, whose clock is the device's; they are created at first use."""

    def __init__(self, now: datetime) -> None:
        self._now, self._zone = now, now.tzinfo
        self._session: Session | None = None

    def call(self, tool: str, arguments: Mapping[str, Plain]) -> Outcome:
        """Call a tool of an app by its full name (`app.tool`); omit arguments that are None."""
        values = {name: value for name, value in arguments.items() if value is not None}
        return self._opened().call(tool, values)

    def rows(self, table: str) -> list[Row]:
        """Return the rows of a table, sorted by key."""
        return self._opened().rows(table)

    def items(self, kind: str) -> Content:
        """Return all items of a kind (reminder, event, note, alarm, contact) in the app's order."""
        library = LIBRARIES[kind]
        rows = sorted(
            self.rows(library.table),
            key=lambda row: [(row[name] is None, str(row[name])) for name in library.order],
        )
        names = self.names(library.groups)
        return tuple(library.item(row, names, self._zone) for row in rows)

    def item(self, kind: str, row_id: Plain) -> Item:
        """Return the row with an id as an item, or None if the id is unknown."""
        library = LIBRARIES[kind]
        row = self._opened().row(library.table, json.dumps([row_id]))
        return None if row is None else library.item(row, self.names(library.groups), self._zone)

    def names(self, table: str) -> Names:
        """Return a mapping from ids to names of the lists, calendars or notebooks in a table."""
        if not table:
            return {}
        return {next(iter(row.values())): row["name"] for row in self.rows(table)}

    def group_id(self, table: str, name: str) -> str | None:
        """Return the id of the list, calendar or notebook called `name`, or None if unknown."""
        named = {str(group).casefold(): str(key) for key, group in self.names(table).items()}
        return named.get(name.casefold())

    def person_id(self, reach: str) -> str | None:
        """Return the id of the person whose name, email address or phone number is `reach`.

        Return None if no contact has this name, address or number, or if other apps do not know the
        contact as a person.
        """
        for row in self.rows("contacts"):
            if reach and reach in (row["name"], row["email"], row["phone"]):
                return None if row["person_id"] is None else str(row["person_id"])
        return None

    def digest(self) -> str:
        """Return the digest of the state of the apps, or "" if the shortcut has not changed it.

        A session of an agent whose apps are in the same state has the same digest.
        """
        session = self._session
        if session is None:
            return ""
        changed = {effect.table for outcome in session.log for effect in outcome.effects}
        digests = {name: session.table_digest(name) for name in session.counted if name in changed}
        return digest_of({**_digests_at_start(), **digests}) if digests else ""

    def close(self) -> None:
        """Free the memory of the world."""
        if self._session is not None:
            self._session.close()

    def _opened(self) -> Session:
        if self._session is None:
            self._session = Session(everyday().at(self._now.isoformat(timespec="seconds")))
        return self._session


@cache
def _digests_at_start() -> Mapping[str, str]:
    with closing(Session(everyday())) as session:
        return session.table_digests()


def _reminder(row: Row, names: Names, zone: tzinfo | None) -> Item:
    properties: dict[str, Item] = {
        "Title": row["title"],
        "List": names.get(row["list_id"]),
        "Due Date": _moment(row["due"], zone),
        "Priority": str(row["priority"]).capitalize(),
        "Is Completed": bool(row["done"]),
        "Notes": "",
    }
    return AppItem("reminder", str(row["title"]), properties, str(row["reminder_id"]))


def _event(row: Row, names: Names, zone: tzinfo | None) -> Item:
    properties: dict[str, Item] = {
        "Title": row["title"],
        "Start Date": _moment(row["start"], zone),
        "End Date": _moment(row["end"], zone),
        "Calendar": names.get(row["calendar_id"]),
        "Location": row["location"],
        "Is All Day": False,
        "Notes": "",
    }
    return AppItem("event", str(row["title"]), properties, str(row["event_id"]))


def _note(row: Row, names: Names, zone: tzinfo | None) -> Item:
    properties: dict[str, Item] = {
        "Body": "" if row["locked"] else row["text"],
        "Folder": names.get(row["notebook_id"]),
        "Last Modified Date": _moment(row["changed_at"], zone),
    }
    return AppItem("note", str(row["title"]), properties, str(row["note_id"]))


def _alarm(row: Row, _names: Names, _zone: tzinfo | None) -> Item:
    properties: dict[str, Item] = {
        "Label": row["label"],
        "Time": row["time"],
        "Is Enabled": bool(row["enabled"]),
    }
    return AppItem("alarm", str(row["label"]), properties, str(row["alarm_id"]))


def _contact(row: Row, _names: Names, _zone: tzinfo | None) -> Item:
    phones, emails = (() if row[name] is None else (str(row[name]),) for name in ("phone", "email"))
    company, birthday = (str(row[name] or "") for name in ("company", "birthday"))
    return Contact(str(row["name"]), phones, emails, company, "", birthday)


def _moment(text: Cell, zone: tzinfo | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(str(text)).replace(tzinfo=zone)


class Library(NamedTuple):
    """The table of a kind of items, such as reminders, and the tool that deletes an item.

    `key` is the column with the id of an item, and `order` lists the columns by which items are
    sorted. `groups` is the table of the lists, calendars or notebooks that contain the items.
    """

    table: str
    key: str
    order: tuple[str, ...]
    groups: str
    item: Callable[[Row, Names, tzinfo | None], Item]
    remove: str = ""


LIBRARIES = {
    "reminder": Library(
        "reminders",
        "reminder_id",
        ("due", "title", "reminder_id"),
        "reminder_lists",
        _reminder,
        "reminders.delete_reminder",
    ),
    "event": Library(
        "events",
        "event_id",
        ("start", "event_id"),
        "calendars",
        _event,
        "calendar.delete_event",
    ),
    "note": Library("notes", "note_id", ("title", "note_id"), "notebooks", _note),
    "alarm": Library("alarms", "alarm_id", ("time", "alarm_id"), "", _alarm, "alarms.delete_alarm"),
    "contact": Library("contacts", "contact_id", ("name", "contact_id"), "", _contact),
}
