"""Reminders of the weeks around the clock, in four lists."""

from datetime import datetime, timedelta

from benchloom.worlds.state import State
from benchloom.worlds.suites.everyday.rules import drawn, minutes, now

LISTS = (("errands", "Errands", 0), ("home", "Home", 0), ("work", "Work", 0), ("flat", "Flat", 1))
_TASKS = {
    "errands": ("Buy {}", "Fetch {}", "Return {}", "Ask the shop for {}"),
    "home": ("Mend {}", "Clean {}", "Paint {}", "Look for {}"),
    "work": ("Finish {}", "Print {}", "Check {}", "Send {}"),
    "flat": ("Share the cost of {}", "Decide on {}"),
}
_REMINDER_TEXTS = {
    "errands": ("candles", "the parcel", "bird seed", "the library books", "a new kettle"),
    "home": ("the gate", "the shelf", "the bicycle", "the gutter", "the lamp"),
    "work": ("the price list", "the drawings", "the letter", "the figures", "the plan"),
    "flat": ("the new stairs", "the bins"),
}


def fill(state: State) -> None:
    """Lists, and reminders with and without a time."""
    for row_id, name, locked in LISTS:
        state.add("reminder_lists", list_id=row_id, name=name, locked=locked)
    for list_id, tasks in _TASKS.items():
        for task in tasks:
            for thing in _REMINDER_TEXTS[list_id]:
                _add(state, list_id, task.format(thing))


def _add(state: State, list_id: str, title: str) -> None:
    if drawn(3, "left out", title) == 0:
        return
    done = drawn(4, "done", title) == 0
    due: str | None = None
    if drawn(3, "due", title):
        hours = timedelta(hours=drawn(20 * 24, "hours", title) + 1)
        clock = datetime.fromisoformat(now(state)[:10]) + timedelta(hours=10)
        due = minutes(clock - hours if done else clock + hours)
    state.add(
        "reminders",
        reminder_id=state.new_id("reminders", list_id, title),
        list_id=list_id,
        title=title,
        due=due,
        priority=("low", "normal", "normal", "high")[drawn(4, "priority", title)],
        done=int(done),
    )
