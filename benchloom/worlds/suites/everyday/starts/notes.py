"""Notes in four notebooks."""

from datetime import datetime, timedelta

from benchloom.worlds.state import State
from benchloom.worlds.suites.everyday.rules import drawn, minutes, now

NOTEBOOKS = (("ideas", "Ideas"), ("kitchen", "Kitchen"), ("trips", "Trips"), ("work", "Work"))
_TOPICS = {
    "ideas": ("Birdhouse", "Book about lamps", "Rain barrel", "Shed as a studio", "Swap day"),
    "kitchen": ("Barley soup", "Dark bread", "Leek tart", "Pickled beans", "Plum cake", "Stock"),
    "trips": ("Coast by bicycle", "Lighthouse", "Night train", "Port Selda", "Skerry in May"),
    "work": ("Layout of the leaflet", "Names for the series", "New shelves", "Paper prices"),
}
_LINES = (
    "Ask around first, then begin with the small one.",
    "Costs about {} if nothing goes wrong.",
    "Takes {} hours, better on a dry day.",
    "Best with two people; the rest can wait.",
    "See the drawing in the blue folder, page {}.",
)
_KINDS = ("", " (first try)", " (what is missing)")


def fill(state: State) -> None:
    """Notebooks and notes; some are locked."""
    for row_id, name in NOTEBOOKS:
        state.add("notebooks", notebook_id=row_id, name=name)
    for notebook_id, topics in _TOPICS.items():
        for topic in topics:
            for kind in _KINDS[: 1 + drawn(3, "kinds", topic)]:
                _add(state, notebook_id, f"{topic}{kind}")


def _add(state: State, notebook_id: str, title: str) -> None:
    lines = [_LINES[drawn(len(_LINES), "line", title, str(number))] for number in range(3)]
    text = "\n".join(dict.fromkeys(lines)).format(*[drawn(40, "cost", title) + 5] * 3)
    before = timedelta(minutes=drawn(100_000, "changed", title) + 1)
    state.add(
        "notes",
        note_id=state.new_id("notes", notebook_id, title),
        notebook_id=notebook_id,
        title=title,
        text=text,
        changed_at=minutes(datetime.fromisoformat(now(state)) - before),
        pinned=int(drawn(7, "pinned", title) == 0),
        locked=int(drawn(9, "locked", title) == 0),
    )
