"""The suite of a simulated phone, whose tasks request what shared shortcuts do on a phone.

The phone has the apps of the everyday world and an app `phone`. The runs of shortcuts come from
the table `executions` of a workspace or release, or from files of shortcuts.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import Annotated, NamedTuple

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.records import Execution
from benchloom.storage.inputs import SourceObject
from benchloom.worlds.everyday import NOW, START, apps_in_order
from benchloom.worlds.everyday.rules import Name, exists
from benchloom.worlds.requests.dice import Dice
from benchloom.worlds.requests.wording import one_request
from benchloom.worlds.state import Cell, State
from benchloom.worlds.suite import Suite, records_of
from benchloom.worlds.suites.phone.orders import Order, is_sayable, orders_of, replaced
from benchloom.worlds.task import Candidate
from benchloom.worlds.tool import App, tool, tools_of
from benchloom.worlds.world import World, world_of

Words = Annotated[str, msgspec.Meta(min_length=1, max_length=4000, pattern=r"^[^\x00]*\S[^\x00]*$")]
Address = Annotated[str, msgspec.Meta(max_length=2000, pattern=r"^[^\s\x00-\x1f\x7f]+$(?!\n)")]
_SCHEMA = """
CREATE TABLE looked_up (word TEXT PRIMARY KEY) STRICT;
CREATE TABLE posts (text TEXT NOT NULL, service TEXT NOT NULL, PRIMARY KEY (text, service)) STRICT;
CREATE TABLE opened (target TEXT PRIMARY KEY) STRICT;
CREATE TABLE clipboard (slot INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE folders (path TEXT PRIMARY KEY) STRICT;
CREATE TABLE files (path TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT;
"""


class Done(msgspec.Struct, frozen=True):
    """The result of a tool that returns no data."""

    done: bool = True


@tool(url="the URL.")
def open_url(state: State, *, url: Address) -> Done:
    """Open a URL, of the web or of an app."""
    return _put(state, "opened", {"target": url})


@tool(app="its name, like Calendar.")
def open_app(state: State, *, app: Name) -> Done:
    """Open an app."""
    return _put(state, "opened", {"target": app})


@tool(word="the word.")
def look_up_word(state: State, *, word: Words) -> Done:
    """Show the dictionary entry of a word."""
    return _put(state, "looked_up", {"word": word})


@tool(service="the network.", text="the text.")
def post_text(state: State, *, service: Name, text: Words) -> Done:
    """Post a text on a social network."""
    return _put(state, "posts", {"text": text, "service": service})


@tool(text="the text.")
def copy_text(state: State, *, text: Words) -> Done:
    """Copy a text to the clipboard."""
    return _put(state, "clipboard", {"slot": 1}, text=text)


@tool(name="the setting.", value="its new value, like on, off or 50%.")
def change_setting(state: State, *, name: Name, value: Name) -> Done:
    """Change a setting, like wifi, flashlight, focus or brightness."""
    return _put(state, "settings", {"name": name}, value=value)


@tool(path="its path.")
def create_folder(state: State, *, path: Words) -> Done:
    """Create a folder among the files."""
    return _put(state, "folders", {"path": path})


@tool(path="the path of the file.", text="the text of the file.")
def save_text_file(state: State, *, path: Words, text: Words) -> Done:
    """Save a text as a file, replacing a file with the same path."""
    return _put(state, "files", {"path": path}, text=text)


@tool(person="the name or the number.")
def call_person(state: State, *, person: Name) -> Done:
    """Call a person."""
    return _put(state, "opened", {"target": f"tel:{person}"})


def _put(state: State, table: str, key: dict[str, Cell], **values: Cell) -> Done:
    if not exists(state, table, **key):
        state.add(table, **key, **values)
    elif values:
        state.change(table, key, **values)
    return Done()


APP = App(
    schema=_SCHEMA,
    tools=tools_of("phone", globals()),
    goals={"open_url": "open a web page"},
)

_NAME = "phone"
_TABLE = "executions"
_KIND = "shortcut"
MAX_ALONE = 6
"""The maximum number of candidates for each shortcut that request the effects of a single run."""
MAX_GROUP = 4
"""The maximum number of runs that a combined candidate requests."""


@cache
def phone() -> World:
    """Build the world with all apps of the everyday world and the app `phone`."""
    return world_of(_NAME, NOW, [*apps_in_order(), APP])


def world(start: str) -> World:
    """Return the phone's world; raise `RunError` unless `start` is its only initial state."""
    if start != START:
        raise RunError(f"suite '{_NAME}' has only the initial state {START}; omit --start")
    return phone()


def candidates(files: Sequence[SourceObject], seed: int) -> Iterator[Candidate]:
    """Yield candidates for the runs of shortcuts in the files, and for combinations of runs.

    Raises:
        RunError: there are no runs, or a file of the table is damaged.
    """
    rows = records_of(files, _TABLE, Execution)
    first = next(rows, None)
    if first is None:
        raise RunError(f"suite '{_NAME}' needs shortcuts; pass files of shortcuts or a release")
    yield from candidates_of(chain([first], rows), seed)


def candidates_of(rows: Iterable[Execution], seed: int) -> Iterator[Candidate]:
    """Yield a candidate for each finished run of a shortcut, then candidates that combine runs.

    The effects of a run become the instructions of the request. A run is left out if one of its
    values is in an earlier run of the same shortcut, or if all its values are in earlier runs of
    any shortcuts. Of the runs whose values a user would say, at most `MAX_ALONE` of each shortcut
    become candidates by themselves. A combined candidate consists of several runs of the same split
    whose values a user would say; the seed determines which runs are combined.
    """
    earlier: dict[str, set[str]] = defaultdict(set)
    of_any: set[str] = set()
    alone: Counter[str] = Counter()
    runs: dict[str, dict[str, list[_Run]]] = defaultdict(lambda: defaultdict(list))
    for number, row in enumerate(rows):
        if row.outcome != "finished":
            continue
        orders = orders_of(row.effects)
        values = {str(value) for order in orders for value in order.call.arguments.values()}
        is_repeat = values & earlier[row.shortcut_id] or values <= of_any
        # Runs that are left out count too, because later runs must not repeat them either.
        earlier[row.shortcut_id] |= values
        of_any |= values
        if values and is_repeat:
            continue
        run = _Run(row.shortcut_id, row.source_uri, row.split or "", orders)
        is_sayable_run = bool(orders) and all(map(is_sayable, orders))
        if is_sayable_run:
            runs[run.split][run.shortcut_id].append(run)
        if not is_sayable_run or alone[run.shortcut_id] < MAX_ALONE:
            alone[run.shortcut_id] += is_sayable_run
            yield _candidate([run], Dice(seed, number))
    for split in sorted(runs):
        shortcuts = [*runs[split].values()]
        for number, run in enumerate(chain.from_iterable(shortcuts)):
            dice = Dice(seed, number, f"group/{split}")
            group = _group(run, shortcuts, dice)
            if len(group) > 1:
                yield _candidate(group, dice)


class _Run(NamedTuple):
    shortcut_id: str
    source_uri: str
    split: str
    orders: Sequence[Order]


def _group(run: _Run, shortcuts: Sequence[Sequence[_Run]], dice: Dice) -> list[_Run]:
    group = [run]
    for _ in range(1 + dice.below(MAX_GROUP - 1)):
        other = dice.one_of(dice.one_of(shortcuts))
        if not any(_clash(other, member) for member in group):
            group.append(other)
    return group


def _clash(run: _Run, other: _Run) -> bool:
    calls = {replaced(order.call) for order in other.orders}
    return run.shortcut_id == other.shortcut_id or any(
        replaced(order.call) in calls for order in run.orders
    )


def _candidate(runs: Sequence[_Run], dice: Dice) -> Candidate:
    orders = [order for run in runs for order in run.orders]
    words = [order.words for order in orders if order.words]
    return Candidate(
        suite=_NAME,
        start=START,
        turns=(one_request(dice, words) if words else "",),
        calls=tuple(order.call for order in orders),
        kind=_KIND,
        exact=True,
        source=_TABLE,
        source_id=", ".join(run.shortcut_id for run in runs),
        source_uri=", ".join(run.source_uri for run in runs),
        license="see the source of the shortcut",
        split=runs[0].split,
    )


SUITE = Suite(
    about="What shared shortcuts do on a phone: open, copy, save, call, remind.",
    world=world,
    candidates=candidates,
    kind=_KIND,
    table=_TABLE,
    source="shortcuts",
)
