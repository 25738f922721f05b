"""Threads of messages: one to one with many people, and some of groups."""

from datetime import datetime, timedelta

from benchloom.worlds.state import State
from benchloom.worlds.suites.everyday.rules import COUNT, USER, drawn, minutes, now, person_id

_GROUPS = (
    ("Boat share", "group", 5),
    ("Choir altos", "group", 9),
    ("Family dinner", "group", 6),
    ("Office lunch", "group", 8),
    ("Street fete", "group", 11),
    ("Notices of the street", "notices", 14),
    ("Notices of the school", "notices", 12),
)
_DIRECT = 24
_MESSAGE_TEXTS = (
    "Are you coming to the {} on Saturday?",
    "I left the {} at your door.",
    "The {} is at seven, not at eight.",
    "Who can help with the {}?",
    "No {} this week, sorry.",
    "Shall we share the cost of the {}?",
    "I have photos of the {}, will send them tonight.",
    "Do we still need the {}?",
)
_OBJECTS = (
    "barbecue",
    "bench",
    "cake",
    "ladder",
    "lantern walk",
    "map",
    "pump",
    "quiz",
    "rehearsal",
    "rowing trip",
    "soup",
    "tent",
)


def fill(state: State) -> None:
    """Threads with their members and messages."""
    for number in range(_DIRECT):
        other = person_id(2 + number * 4)
        _add(state, str(number), ("", "direct"), [USER, other], 3 + drawn(9, "many", str(number)))
    for title, kind, size in _GROUPS:
        first = 2 + drawn(COUNT - size, "group", title)
        members = [USER, *(person_id(first + more) for more in range(size))]
        _add(state, title, (title, kind), members, 20 + drawn(20, "many", title))


def _add(state: State, key: str, thread: tuple[str, str], members: list[str], many: int) -> None:
    title, kind = thread
    new_thread_id = state.new_id("threads", title, kind, *members)
    muted = int(drawn(6, "muted", key) == 0)
    state.add("threads", thread_id=new_thread_id, title=title, kind=kind, muted=muted)
    for member_id in members:
        state.add("thread_members", thread_id=new_thread_id, person_id=member_id)
    writers = members[1:2] if kind == "notices" else members
    for position in range(many):
        part = (key, str(position))
        text = _MESSAGE_TEXTS[drawn(len(_MESSAGE_TEXTS), "said", *part)]
        text = text.format(_OBJECTS[drawn(len(_OBJECTS), "thing", *part)])
        sender = writers[drawn(len(writers), "sender", *part)]
        before = timedelta(minutes=1 + (many - position) * 200 + drawn(190, "minute", *part))
        sent_at = minutes(datetime.fromisoformat(now(state)) - before)
        state.add(
            "messages",
            message_id=state.new_id("messages", new_thread_id, sender, text, sent_at),
            thread_id=new_thread_id,
            person_id=sender,
            text=text,
            sent_at=sent_at,
            edited=0,
        )
