"""Measure how far raters (people, checks or judges) agree with each other beyond chance."""

import msgspec

from benchloom.core.errors import extra
from benchloom.release.review.calibration.ratings import CalibrationError, Raters


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """How far several raters agree on the texts that at least two of them rated.

    `alpha` is Krippendorff's alpha of the decisions to keep or drop a text: 1 if all raters agree,
    0 for agreement by chance, None if it is undefined. `equal` counts the texts on which all raters
    agree.
    """

    raters: tuple[str, ...]
    texts: int
    equal: int
    alpha: float | None


def agreement_of(raters: Raters) -> Agreement:
    """Compute how far raters agree. Raises CalibrationError if the extra `panels` is missing."""
    ratings_by_text: dict[str, list[tuple[str, bool]]] = {}
    for name, ratings in raters.items():
        for text, rating in ratings.items():
            ratings_by_text.setdefault(text, []).append((name, rating.kept))
    compared = {text: votes for text, votes in ratings_by_text.items() if len(votes) > 1}
    equal = sum(len({label for _, label in votes}) == 1 for votes in compared.values())
    labels = {label for votes in compared.values() for _, label in votes}
    return Agreement(
        raters=tuple(raters),
        texts=len(compared),
        equal=equal,
        alpha=_alpha(compared) if len(labels) > 1 else None,
    )


def _alpha(compared: dict[str, list[tuple[str, bool]]]) -> float:
    with extra("panels", "agreements", CalibrationError):
        from nltk.metrics.agreement import AnnotationTask
    task = AnnotationTask(
        data=[(name, text, label) for text, votes in compared.items() for name, label in votes]
    )
    return float(task.alpha())
