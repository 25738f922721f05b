"""How far raters agree beyond chance."""

import msgspec

from benchloom.core.extras import extra
from benchloom.review.calibration.errors import CalibrationError
from benchloom.review.calibration.ratings import Raters


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """The agreement of several raters on the texts that at least two of them rated.

    `alpha` is Krippendorff's, of keep and drop: 1 where all agree, 0 where they agree as chance
    would; None where there are no two ratings to compare, or all are alike. `equal` counts
    texts on which every rater says the same.
    """

    raters: tuple[str, ...]
    texts: int
    equal: int
    alpha: float | None


def agreement_of(raters: Raters) -> Agreement:
    """The agreement of raters.

    Raises:
        CalibrationError: the extra that measures it is not installed.
    """
    said: dict[str, list[tuple[str, bool]]] = {}
    for name, ratings in raters.items():
        for text, rating in ratings.items():
            said.setdefault(text, []).append((name, rating.kept))
    compared = {text: votes for text, votes in said.items() if len(votes) > 1}
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
