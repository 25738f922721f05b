"""What shortcuts of people do on a phone: the apps of the everyday world, and the phone itself.

Source: the table `executions` of a workspace or release, or files of shortcuts.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from pathlib import Path

from benchloom.core.errors import RejectedInputError, RunError
from benchloom.core.records import Execution
from benchloom.storage.inputs import SourceObject
from benchloom.storage.tables import is_part, records_in
from benchloom.worlds.app import world_of
from benchloom.worlds.asking.dice import Dice
from benchloom.worlds.asking.wording import one_request
from benchloom.worlds.suite import Suite
from benchloom.worlds.suites.everyday import NOW, START, apps_in_order
from benchloom.worlds.suites.phone.app import APP
from benchloom.worlds.suites.phone.orders import orders_of
from benchloom.worlds.task import Candidate
from benchloom.worlds.world import World

_NAME = "phone"
_TABLE = "executions"


@cache
def phone() -> World:
    """Build the world: every app of the everyday world, and the phone."""
    return world_of(_NAME, NOW, [*apps_in_order(), APP])


def world(start: str) -> World:
    """Return the world; raise `RunError` if `start` is not its start."""
    if start != START:
        raise RunError(f"{_NAME} has one start, {START}")
    return phone()


def candidates(files: Sequence[SourceObject], seed: int) -> Iterator[Candidate]:
    """Yield a candidate for each run in the files, as `candidates_of` does.

    Raises:
        RunError: there are no runs, or a file of the table is damaged.
    """
    rows = _executions(files)
    first = next(rows, None)
    if first is None:
        raise RunError(f"tasks of {_NAME} need shortcuts: name files of them or a release")
    yield from candidates_of(chain([first], rows), seed)


def candidates_of(rows: Iterable[Execution], seed: int) -> Iterator[Candidate]:
    """Yield a candidate for each run that ended: its effects are the orders of the request.

    A run is left out if one of its values is in an earlier run of the same shortcut, or if all of
    them are in runs of any.
    """
    earlier: dict[str, set[str]] = defaultdict(set)
    of_any: set[str] = set()
    for number, row in enumerate(rows):
        if row.outcome == "finished":
            orders = orders_of(row.effects)
            values = {str(value) for order in orders for value in order.call.arguments.values()}
            is_repeat = values & earlier[row.shortcut_id] or values <= of_any
            earlier[row.shortcut_id] |= values
            of_any |= values
            if values and is_repeat:
                continue
            words = [order.words for order in orders if order.words]
            yield Candidate(
                suite=_NAME,
                start=START,
                turns=(one_request(Dice(seed, number), words) if words else "",),
                calls=tuple(order.call for order in orders),
                exact=True,
                source=_TABLE,
                source_id=row.shortcut_id,
                source_uri=row.source_uri,
                license="see the source of the shortcut",
                split=row.split or "",
            )


def _executions(files: Sequence[SourceObject]) -> Iterator[Execution]:
    for file in files:
        if is_part(file.source_uri, _TABLE):
            try:
                data = file.read()
            except RejectedInputError as error:
                raise RunError(f"{file.source_uri}: {error}") from error
            yield from records_in(Path(file.source_uri), _TABLE, Execution, data)


SUITE = Suite(
    about="What shared shortcuts do on a phone: show, open, copy, save, remind.",
    world=world,
    candidates=candidates,
    table=_TABLE,
    source="shortcuts",
)
