"""Reminders."""

from benchloom.worlds.suites.everyday.asking.draws import moment, no, number, quoted, words
from benchloom.worlds.suites.everyday.asking.wants import Named, Question, Requests, Want
from benchloom.worlds.suites.everyday.requests._things import EVENT, LIST, MAIL

_TITLES = quoted(
    "Book the piano tuner", "Call the dentist", "Collect the glasses", "Empty the rain barrel",
    "Oil the bicycle", "Order firewood", "Renew the passport", "Return the ladder", "Sow the peas",
)  # fmt: skip
_OPEN = Named(
    tool="reminders.search_reminders",
    query="query",
    name="title",
    field="reminder_id",
    by={"done": no("open", "unfinished")},
    text='the {done} reminder "{name}"',
    listing={"limit": 50},
)
_REMINDER = Named(
    tool="reminders.search_reminders",
    query="query",
    name="title",
    field="reminder_id",
    text='the reminder "{name}"',
    listing={"limit": 50},
)


def _about(field: str) -> Named:
    return Named(
        tool="reminders.search_reminders",
        query="query",
        name="title",
        field=field,
        text='the reminder "{name}"',
        listing={"limit": 50},
    )


REQUESTS = Requests(
    wants=(
        Want(
            tool="reminders.create_reminder",
            text="remind me of {title} on {due}",
            take={"due": moment(), "title": _TITLES},
            makes=("reminder_id", "that reminder"),
        ),
        Want(
            tool="reminders.create_reminder",
            text="put {title} on {list_id}",
            take={"title": _TITLES, "list_id": LIST},
            makes=("reminder_id", "that reminder"),
        ),
        Want(
            tool="reminders.create_reminder",
            text="add {title} to {list_id}, with {priority} priority",
            take={"title": _TITLES, "list_id": LIST, "priority": words("high", "low")},
            makes=("reminder_id", "the new reminder"),
        ),
        Want(
            tool="reminders.create_reminder",
            text="put {title} on {list_id}",
            take={"title": _TITLES, "list_id": LIST},
            first={"list_id": LIST},
            otherwise="if that list is locked, put it on {list_id}",
            makes=("reminder_id", "that reminder"),
        ),
        Want(
            tool="reminders.create_list",
            text="make a list of reminders called {name}",
            take={"name": quoted("Allotment", "Birthdays", "Boat", "Loft", "Winter")},
            makes=("list_id", "that list"),
        ),
        Want(
            tool="reminders.complete_reminder",
            text="tick off {reminder_id}",
            take={"reminder_id": _OPEN},
        ),
        Want(
            tool="reminders.update_reminder",
            text="move {reminder_id} to {list_id}",
            take={"reminder_id": _REMINDER, "list_id": LIST},
        ),
        Want(
            tool="reminders.update_reminder",
            text="postpone {reminder_id} to {due}",
            take={"reminder_id": _OPEN, "due": moment()},
        ),
        Want(
            tool="reminders.update_reminder",
            text="give {reminder_id} {priority} priority",
            take={"reminder_id": _REMINDER, "priority": words("high", "low", "normal")},
        ),
        Want(
            tool="reminders.delete_reminder",
            text="delete {reminder_id}",
            take={"reminder_id": _REMINDER},
        ),
        Want(
            tool="reminders.remind_of_mail",
            text="remind me of {mail_id} on {due}",
            take={"mail_id": MAIL, "due": moment()},
            makes=("reminder_id", "that reminder"),
        ),
        Want(
            tool="reminders.remind_of_event",
            text="remind me of {event_id} {minutes_before} minutes before it begins",
            take={"event_id": EVENT, "minutes_before": number(10, 55)},
            makes=("reminder_id", "that reminder"),
        ),
    ),
    questions=(
        Question(text="tell me when {it} is due", about=_about("due")),
        Question(text="tell me which priority {it} has", about=_about("priority")),
        Question(
            text="tell me what is {it}",
            about=Named(
                tool="reminders.search_reminders",
                by={
                    "done": no("open", "not done yet"),
                    "list_id": LIST,
                    "priority": words("high", "low"),
                },
                field="title",
                text="{done} on {list_id} with {priority} priority",
            ),
        ),
    ),
)
