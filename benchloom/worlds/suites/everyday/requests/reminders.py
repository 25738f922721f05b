"""The requests that users can make about reminders, with their wording."""

from benchloom.worlds.requests.draws import moment, no, number, quoted, words
from benchloom.worlds.requests.wants import Named, Question, Want, ask, requests
from benchloom.worlds.suites.everyday.requests._objects import ALL, EVENT, LIST, NAMED_OBJECTS

_TITLES = quoted(
    "Ask about Friday", "Check the dates", "Collect the parcel", "Find the receipt",
    "Order new labels", "Pay the deposit", "Print the form", "Return the ladder", "Send the photos",
)  # fmt: skip
_OPEN = Named(
    "reminders.search_reminders",
    "reminder_id",
    'the {done} reminder "{name}"',
    name="title",
    by={"done": no("open", "unfinished")},
    listing=ALL,
)
_REMINDER = Named(
    "reminders.search_reminders", "reminder_id", 'the reminder "{name}"', name="title", listing=ALL
)


REQUESTS = requests(
    usual={**NAMED_OBJECTS, "due": moment(), "title": _TITLES, "reminder_id": _REMINDER},
    wants=(
        Want(
            "reminders.create_reminder",
            "remind me of {title} on {due}",
            {"due": moment()},
            makes=("reminder_id", "that reminder"),
        ),
        Want(
            "reminders.create_reminder",
            "put {title} on {list_id}",
            makes=("reminder_id", "that reminder"),
        ),
        Want(
            "reminders.create_reminder",
            "add {title} to {list_id}, with {priority} priority",
            {"title": _TITLES, "list_id": LIST, "priority": words("high", "low")},
            makes=("reminder_id", "the new reminder"),
        ),
        Want(
            "reminders.create_reminder",
            "put {title} on {list_id}",
            first={"list_id": LIST},
            otherwise="if that list is locked, put it on {list_id}",
            makes=("reminder_id", "that reminder"),
        ),
        Want(
            "reminders.create_list",
            "make a list of reminders called {name}",
            {"name": quoted("Allotment", "Birthdays", "Boat", "Loft", "Winter")},
            makes=("list_id", "that list"),
        ),
        Want("reminders.complete_reminder", "tick off {reminder_id}", {"reminder_id": _OPEN}),
        Want("reminders.update_reminder", "move {reminder_id} to {list_id}"),
        Want(
            "reminders.update_reminder",
            "make {reminder_id} due on {due}",
            {"reminder_id": _OPEN},
        ),
        Want(
            "reminders.update_reminder",
            "give {reminder_id} {priority} priority",
            {"reminder_id": _REMINDER, "priority": words("high", "low", "normal")},
        ),
        Want("reminders.delete_reminder", "delete {reminder_id}"),
        Want(
            "reminders.remind_of_mail",
            "remind me of {mail_id} on {due}",
            makes=("reminder_id", "that reminder"),
        ),
        Want(
            "reminders.remind_of_event",
            "remind me of {event_id} {minutes_before} minutes before it begins",
            {"event_id": EVENT, "minutes_before": number(10, 55)},
            makes=("reminder_id", "that reminder"),
        ),
    ),
    questions=(
        Question("tell me when {it} is due", _REMINDER.for_field("due")),
        Question("tell me which priority {it} has", _REMINDER.for_field("priority")),
        ask(
            "tell me what is {done} on {list_id} with {priority} priority",
            "reminders.search_reminders",
            "title",
            {"done": no("open", "not done yet"), "list_id": LIST, "priority": words("high", "low")},
        ),
    ),
)
