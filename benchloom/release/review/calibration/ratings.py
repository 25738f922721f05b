"""Read the ratings of texts by checks, judges and people, and combine them to panels."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.records import Verdict
from benchloom.core.records.texts import is_judgement
from benchloom.storage.inputs import nothing_in
from benchloom.storage.tables.reader import iter_records, table_parts


class CalibrationError(RunError):
    """The labels are invalid, or none of them is about a judged text."""


RULES = "all rules"
PANEL = "panel"
ALL = "kept"


Raters = dict[str, dict[str, "Rating"]]


class Rating(msgspec.Struct, frozen=True, gc=False):
    """A rater's decision to keep or drop a text, with a score if the rater gives scores.

    `reason` is the reason of the verdict. It is empty for people's labels and for combined raters.
    """

    target_id: str
    rater: str
    kept: bool
    score: float | None = None
    reason: str = ""


def ratings_in(folders: Sequence[Path]) -> Iterator[Rating]:
    """Read all ratings from the tables `verdicts` in folders of stages or releases."""
    for folder in folders:
        if not table_parts(folder, "verdicts"):
            raise nothing_in(
                folder, f"{folder} contains no table 'verdicts'; pass a release or stage"
            )
        for row in iter_records(folder, "verdicts", Verdict):
            yield Rating(row.target_id, row.check, row.kept, row.score, row.reason)


def by_rater(ratings: Iterable[Rating]) -> Raters:
    """Group ratings by rater and text. The raters are sorted by name.

    Raises CalibrationError if a rater has two different ratings of the same text.
    """
    raters: Raters = {}
    for rating in ratings:
        first_rating = raters.setdefault(rating.rater, {}).setdefault(rating.target_id, rating)
        if first_rating != rating:
            raise CalibrationError(
                f"'{rating.rater}' has two different verdicts on {rating.target_id}; remove one"
            )
    return dict(sorted(raters.items()))


def with_panels(raters: Raters) -> Raters:
    """Add the combined raters `all rules`, `panel` and `kept`.

    `all rules` keeps a text if all checks that are not judges keep it, `panel` keeps it if most
    judges keep it, and `kept` keeps it if `all rules` and `panel` do.
    """
    judges = {name: ratings for name, ratings in raters.items() if is_judgement(name)}
    rules = {name: ratings for name, ratings in raters.items() if name not in judges}
    combined = _together(RULES, rules, all) | _together(PANEL, judges, _most)
    return raters | combined | _together(ALL, combined, all)


def _together(name: str, parts: Raters, keep: Callable[[list[bool]], bool]) -> Raters:
    ratings = {text: Rating(text, name, keep(votes)) for text, votes in _votes(parts).items()}
    return {name: ratings} if ratings else {}


def _votes(raters: Raters) -> dict[str, list[bool]]:
    votes: dict[str, list[bool]] = {}
    for ratings in raters.values():
        for rating in ratings.values():
            votes.setdefault(rating.target_id, []).append(rating.kept)
    return votes


def _most(labels: list[bool]) -> bool:
    return 2 * sum(labels) > len(labels)


def truth_of(people: Raters) -> tuple[dict[str, bool], int]:
    """Return what most people decided about each text, and the number of texts with a tie."""
    votes = _votes(people)
    ties = {text for text, labels in votes.items() if 2 * sum(labels) == len(labels)}
    truth = {text: _most(labels) for text, labels in votes.items() if text not in ties}
    return truth, len(ties)
