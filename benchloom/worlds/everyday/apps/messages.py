"""The app for messages, which belong to threads with one person or with a group."""

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

import msgspec

from benchloom.worlds.everyday.rules import (
    COUNT,
    USER,
    Date,
    Id,
    Limit,
    Name,
    Query,
    Text,
    ago,
    changes,
    choice,
    drawn,
    exists,
    in_days,
    moment,
    now,
    other_person,
    person_id,
    refuse_if_any,
)
from benchloom.worlds.everyday.tables import Table
from benchloom.worlds.state import RefusedError, State
from benchloom.worlds.tool import App, read_tool, tool, tools_of

ThreadKind: TypeAlias = Literal["direct", "group", "notices"]
_GROUPS: tuple[tuple[str, ThreadKind, int], ...] = (
    ("Boat share", "group", 5),
    ("Choir altos", "group", 9),
    ("Family dinner", "group", 6),
    ("Office lunch", "group", 8),
    ("Street fete", "group", 11),
    ("Notices of the street", "notices", 14),
    ("Notices of the school", "notices", 12),
)
_DIRECT = 24
_TEXTS_OF_EVENTS = (
    "Are you coming to the {} on Saturday?",
    "The {} is at seven, not at eight.",
    "Who can help with the {}?",
    "No {} this week, sorry.",
)
_EVENTS = ("barbecue", "lantern walk", "quiz", "rehearsal", "rowing trip")
_TEXTS_OF_THINGS = (
    "I left the {} at your door.",
    "Shall we share the cost of the {}?",
    "I have photos of the {}, will send them tonight.",
    "Do we still need the {}?",
)
_THINGS = ("bench", "cake", "ladder", "map", "pump", "soup pot", "tent")
_MESSAGE_TEXTS = (
    *(text.format(event) for text in _TEXTS_OF_EVENTS for event in _EVENTS),
    *(text.format(thing) for text in _TEXTS_OF_THINGS for thing in _THINGS),
)


Members: TypeAlias = Annotated[list[Id], msgspec.Meta(min_length=2, max_length=20)]
HOURS_TO_EDIT = 48
_SCHEMA = """
CREATE TABLE threads (
    thread_id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('direct', 'group', 'notices')),
    muted INTEGER NOT NULL CHECK (muted IN (0, 1))
) STRICT;
CREATE TABLE thread_members (
    thread_id TEXT NOT NULL REFERENCES threads (thread_id),
    person_id TEXT NOT NULL REFERENCES people (person_id),
    PRIMARY KEY (thread_id, person_id)
) STRICT;
CREATE VIEW named_members AS SELECT * FROM thread_members JOIN people USING (person_id);
-- A direct thread has the name of its other member as its title; the user has the first id.
CREATE VIEW titled_threads AS SELECT thread_id, kind, muted, CASE title WHEN '' THEN (
    SELECT name FROM named_members WHERE named_members.thread_id = threads.thread_id
    ORDER BY person_id DESC LIMIT 1
) ELSE title END AS title FROM threads;
CREATE TABLE messages (
    message_id TEXT PRIMARY KEY,
    thread_id TEXT NOT NULL REFERENCES threads (thread_id),
    person_id TEXT NOT NULL REFERENCES people (person_id),
    text TEXT NOT NULL,
    sent_at TEXT NOT NULL,
    edited INTEGER NOT NULL CHECK (edited IN (0, 1))
) STRICT;
CREATE INDEX messages_by_thread ON messages (thread_id, sent_at);
"""


class Member(msgspec.Struct, frozen=True):
    """A member of a thread."""

    person_id: str
    name: str


class Thread(msgspec.Struct, frozen=True):
    """A thread; in a thread of notices only its owner can write."""

    thread_id: str
    title: str
    kind: ThreadKind
    muted: bool
    members: list[Member]


class Message(msgspec.Struct, frozen=True):
    """A message; `person_id` is its author."""

    message_id: str
    thread_id: str
    person_id: str
    text: str
    sent_at: str
    edited: bool


class Joined(msgspec.Struct, frozen=True):
    """The membership of a person in a thread."""

    thread_id: str
    person_id: str


MEMBERS = Table("named_members", Member, order="person_id")
THREADS = Table(
    "titled_threads",
    Thread,
    order="title, thread_id",
    searched=("title",),
    parts={"members": MEMBERS},
)
MESSAGES = Table(
    "messages",
    Message,
    id_of=("thread_id", "person_id", "text"),
    order="sent_at DESC, message_id",
    searched=("text",),
)


@read_tool(
    query="a part of the title; a direct thread has the person's name as its title.",
    person_id="only threads with this member.",
    kind="only threads of this kind.",
)
def search_threads(
    state: State,
    *,
    query: Query = "",
    person_id: Id | None = None,
    kind: ThreadKind | None = None,
    limit: Limit = 20,
) -> list[Thread]:
    """Find threads, by title."""
    member_condition = "thread_id IN (SELECT thread_id FROM thread_members WHERE person_id = ?)"
    return THREADS.search(state, query, limit, {member_condition: person_id}, kind=kind)


get_thread = THREADS.get_tool("messages.get_thread", "Look at one thread and its members.")


@tool(title="the title.", person_ids="the members besides the user.")
def create_thread(state: State, *, title: Name, person_ids: Members) -> Thread:
    """Create a group thread."""
    if USER in person_ids or len(set(person_ids)) < len(person_ids):
        raise RefusedError("invalid_argument", "person_ids must be distinct, without the user")
    for member_id in person_ids:
        _require_reachable(state, member_id)
    return THREADS.get(state, _begin(state, title, "group", person_ids))


@tool(
    thread_id="its id.",
    title="the new title; only the title of a group can be changed.",
    muted="whether its messages arrive without a sound.",
)
def update_thread(
    state: State, *, thread_id: Id, title: Name | None = None, muted: bool | None = None
) -> Thread:
    """Rename a group thread, or mute or unmute a thread."""
    updates = changes(title=title, muted=muted)
    if title is not None and state.row("threads", thread_id=thread_id)["kind"] != "group":
        raise RefusedError("permission", "only the title of a group can be changed")
    state.change("threads", {"thread_id": thread_id}, **updates)
    return THREADS.get(state, thread_id)


@tool(person_id="the new member.")
def add_member(state: State, *, thread_id: Id, person_id: Id) -> Joined:
    """Add a person to a group thread."""
    _require_group(state, thread_id)
    _require_reachable(state, person_id)
    member = {"thread_id": thread_id, "person_id": person_id}
    refuse_if_any(state, "the person is already in the thread", "thread_members", **member)
    state.add("thread_members", **member)
    return Joined(thread_id, person_id)


@tool(person_id="the member to remove.")
def remove_member(state: State, *, thread_id: Id, person_id: Id) -> Joined:
    """Remove a person from a group thread; the user's own id leaves the thread."""
    _require_group(state, thread_id)
    state.remove("thread_members", thread_id=thread_id, person_id=person_id)
    return Joined(thread_id, person_id)


@read_tool(
    query="a part of the text.",
    thread_id="only messages in this thread.",
    person_id="only messages by this person.",
    since="only messages of this day or later.",
)
def search_messages(
    state: State,
    *,
    query: Query = "",
    thread_id: Id | None = None,
    person_id: Id | None = None,
    since: Date | None = None,
    limit: Limit = 20,
) -> list[Message]:
    """Find messages, latest first."""
    if thread_id is not None:
        state.row("threads", thread_id=thread_id)
    where = in_days("sent_at", since)
    return MESSAGES.search(state, query, limit, where, thread_id=thread_id, person_id=person_id)


get_message = MESSAGES.get_tool("messages.get_message", "Look at one message.")


@tool()
def send_message(state: State, *, thread_id: Id, text: Text) -> Message:
    """Send a message to a thread."""
    return write(state, thread_id, text)


@tool(person_id="the recipient.")
def message_person(state: State, *, person_id: Id, text: Text) -> Message:
    """Send a message to a person in the direct thread, which is created if it does not exist."""
    _require_reachable(state, person_id)
    threads = state.rows(
        "SELECT thread_id FROM threads JOIN thread_members USING (thread_id) "
        "WHERE kind = 'direct' AND person_id = ?",
        person_id,
    )
    thread_id = (
        str(threads[0]["thread_id"]) if threads else _begin(state, "", "direct", [person_id])
    )
    return write(state, thread_id, text)


@tool()
def share_contact(state: State, *, contact_id: Id, thread_id: Id) -> Message:
    """Send a contact to a thread."""
    card = state.row("contacts", contact_id=contact_id)
    lines = [str(card[name]) for name in ("name", "phone", "email") if card[name] is not None]
    return write(state, thread_id, "\n".join(lines))


@tool(text="the new text.")
def update_message(state: State, *, message_id: Id, text: Text) -> Message:
    """Change the text of a message of the user, within two days."""
    _own_recent_message(state, message_id)
    return MESSAGES.change(state, message_id, text=text, edited=1)


@tool()
def delete_message(state: State, *, message_id: Id) -> Message:
    """Delete a message of the user within two days, and return it."""
    _own_recent_message(state, message_id)
    return MESSAGES.remove(state, message_id)


def write(state: State, thread_id: str, text: str) -> Message:
    """Add a message of the user to a thread, and return the message.

    Raises:
        RefusedError: the thread does not exist, or the user cannot write to it.
    """
    kind = state.row("threads", thread_id=thread_id)["kind"]
    if kind == "notices":
        raise RefusedError("permission", "the thread is read-only; only its owner can write to it")
    rows = state.rows("SELECT person_id FROM thread_members WHERE thread_id = ?", thread_id)
    members = {str(row["person_id"]) for row in rows}
    if USER not in members:
        raise RefusedError("permission", "the user is not a member of this thread")
    if kind == "direct":
        for member_id in members - {USER}:
            _require_reachable(state, member_id)
    return MESSAGES.add(
        state, thread_id=thread_id, person_id=USER, text=text, sent_at=now(state), edited=0
    )


def _begin(
    state: State, title: str, kind: ThreadKind, others: Sequence[str], *, muted: bool = False
) -> str:
    new_thread_id = state.new_id("threads", title, kind, *sorted(others))
    state.add("threads", thread_id=new_thread_id, title=title, kind=kind, muted=int(muted))
    for member_id in dict.fromkeys((USER, *others)):
        state.add("thread_members", thread_id=new_thread_id, person_id=member_id)
    return new_thread_id


def _require_reachable(state: State, person_id: str) -> None:
    name = other_person(state, person_id)
    if exists(state, "contacts", person_id=person_id, blocked=1):
        raise RefusedError("permission", f"the user has blocked {name}")


def _require_group(state: State, thread_id: str) -> None:
    if state.row("threads", thread_id=thread_id)["kind"] != "group":
        raise RefusedError("permission", "this thread is not a group; its members are fixed")
    if not exists(state, "thread_members", thread_id=thread_id, person_id=USER):
        raise RefusedError("permission", "the user is not a member of this thread")


def _own_recent_message(state: State, message_id: str) -> None:
    message = MESSAGES.get(state, message_id)
    if message.person_id != USER:
        raise RefusedError("permission", "another person wrote this message")
    age = moment(now(state)) - moment(message.sent_at)
    if age.total_seconds() > HOURS_TO_EDIT * 3600:
        raise RefusedError("unavailable", f"messages are final after {HOURS_TO_EDIT} hours")


def _fill(state: State) -> None:
    for number in range(_DIRECT):
        other = person_id(2 + number * 4)
        thread = _begin(state, "", "direct", [USER, other], muted=_is_muted(str(number)))
        _fill_messages(state, thread, [USER, other], str(number), 3 + drawn(9, "many", str(number)))
    for title, kind, size in _GROUPS:
        first = 2 + drawn(COUNT - size, "group", title)
        members = [USER, *map(person_id, range(first, first + size))]
        thread = _begin(state, title, kind, members, muted=_is_muted(title))
        writers = members[1:2] if kind == "notices" else members
        _fill_messages(state, thread, writers, title, 20 + drawn(20, "many", title))


def _is_muted(key: str) -> bool:
    return drawn(6, "muted", key) == 0


def _fill_messages(state: State, thread_id: str, writers: list[str], key: str, many: int) -> None:
    for position in range(many):
        part = (key, str(position))
        text = choice(_MESSAGE_TEXTS, "said", *part)
        sender = choice(writers, "sender", *part)
        sent_at = ago(state, 1 + (many - position) * 200 + drawn(190, "minute", *part))
        MESSAGES.add(
            state,
            *(thread_id, sender, text, sent_at),
            thread_id=thread_id,
            person_id=sender,
            text=text,
            sent_at=sent_at,
            edited=0,
        )


APP = App(
    schema=_SCHEMA,
    fill=_fill,
    tools=tools_of(
        "messages",
        globals(),
        descriptions={"text": "the text.", "message_id": "its id."},
    ),
    needs=("people", "contacts"),
    goals={
        "add_member": "add somebody to a chat",
        "message_person": "write a message to somebody",
        "search_messages": "find out {} of a message",
        "search_threads": "find out who is in a chat",
    },
)
