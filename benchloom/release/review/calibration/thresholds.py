"""Compare checks and judges with people's verdicts, and choose a score threshold for each judge."""

from collections.abc import Iterable, Mapping

import msgspec

from benchloom.core.errors import NothingReadError
from benchloom.core.records.texts import is_human, is_judgement
from benchloom.core.shares import Share, share_of
from benchloom.release.review.calibration.agreement import Agreement, agreement_of
from benchloom.release.review.calibration.ratings import (
    CalibrationError,
    Raters,
    Rating,
    by_rater,
    truth_of,
    with_panels,
)

MAX_SHARE = 1.0


class Threshold(msgspec.Struct, frozen=True, kw_only=True):
    """The lowest score of a judge such that enough texts with at least this score are good.

    `reached` is the share of good texts among the texts with at least this score, and `kept_good`
    is the share of good texts that have at least this score.
    """

    score: float
    reached: Share
    kept_good: Share


class Reliability(msgspec.Struct, frozen=True, kw_only=True):
    """How a rater (a check, a judge or a panel) agrees with people, on the texts that both rated.

    `precision` is the share that people drop of the texts that the rater drops, and `recall` is the
    share that the rater drops of the texts that people drop. `kept_good` is the share that people
    keep of the texts that the rater keeps, and `good_kept` is the share that the rater keeps of the
    texts that people keep. If the rater is a judge, `reasons` contains the precision for each
    reason.
    """

    rater: str
    texts: int
    precision: Share
    recall: Share
    good_kept: Share
    kept_good: Share
    threshold: Threshold | None = None
    reasons: dict[str, Share] = {}


class Calibration(msgspec.Struct, frozen=True, kw_only=True):
    """The result of comparing raters with people.

    `labelled` texts have a decision of a person, and most people keep `good` of them. `undecided`
    texts are kept by as many people as drop them. `wanted` is the target precision. `people` says
    how far people agree with each other, and `judges` how far judges do; each is None for fewer
    than two raters.
    """

    labelled: int
    undecided: int
    good: int
    wanted: float
    people: Agreement | None
    judges: Agreement | None
    raters: tuple[Reliability, ...]


def calibrate(
    ratings: Iterable[Rating], target_precision: float = 0.95, *, needs_people: bool = True
) -> Calibration:
    """Compare every check, judge and panel with what most people decided about each text.

    `target_precision`, above 0 and at most 1, is the share of good texts that a threshold must
    reach. Without labels of people, NothingReadError is raised if `needs_people` is true; otherwise
    the judges are only compared with each other.
    """
    if not 0 < target_precision <= MAX_SHARE:
        raise CalibrationError(
            f"the target precision is {target_precision:g}; it must be above 0 and at most 1"
        )
    raters = by_rater(ratings)
    people = {name: rater_ratings for name, rater_ratings in raters.items() if is_human(name)}
    others = {name: rater_ratings for name, rater_ratings in raters.items() if not is_human(name)}
    truth, undecided = truth_of(people)
    if needs_people and not people:
        raise NothingReadError("no text has a label of a person; pass a file of labels")
    reliabilities = [
        _reliability(name, rater_ratings, truth, target_precision)
        for name, rater_ratings in with_panels(others).items()
        if rater_ratings.keys() & truth.keys()
    ]
    if people and others and not reliabilities:
        raise CalibrationError("no labelled text was judged; pass labels of texts in this folder")
    return Calibration(
        labelled=len(truth) + undecided,
        undecided=undecided,
        good=sum(truth.values()),
        wanted=target_precision,
        people=_agreement(people),
        judges=_agreement(
            {name: rater_ratings for name, rater_ratings in others.items() if is_judgement(name)}
        ),
        raters=tuple(reliabilities),
    )


def _agreement(raters: Raters) -> Agreement | None:
    return agreement_of(raters) if len(raters) > 1 else None


def _reliability(
    name: str, ratings: Mapping[str, Rating], truth: Mapping[str, bool], target_precision: float
) -> Reliability:
    pairs = [(ratings[text], good) for text, good in sorted(truth.items()) if text in ratings]
    dropped = [good for rating, good in pairs if not rating.kept]
    kept_labels = [good for rating, good in pairs if rating.kept]
    flawed = len(pairs) - sum(good for _, good in pairs)
    return Reliability(
        rater=name,
        texts=len(pairs),
        precision=share_of(dropped.count(False), len(dropped)),
        recall=share_of(dropped.count(False), flawed),
        good_kept=share_of(kept_labels.count(True), len(pairs) - flawed),
        kept_good=share_of(kept_labels.count(True), len(kept_labels)),
        threshold=_threshold(pairs, target_precision),
        reasons=_reasons(pairs) if is_judgement(name) else {},
    )


def _reasons(pairs: list[tuple[Rating, bool]]) -> dict[str, Share]:
    labels: dict[str, list[bool]] = {}
    for rating, good in pairs:
        if not rating.kept:
            labels.setdefault(rating.reason, []).append(good)
    return {
        reason: share_of(goods.count(False), len(goods)) for reason, goods in sorted(labels.items())
    }


def _threshold(pairs: list[tuple[Rating, bool]], target_precision: float) -> Threshold | None:
    graded = sorted(
        ((rating.score, good) for rating, good in pairs if rating.score is not None), reverse=True
    )
    good = sum(is_good for _, is_good in graded)
    best: Threshold | None = None
    right = 0
    for count, (score, is_good) in enumerate(graded, start=1):
        right += is_good
        ends = count == len(graded) or graded[count][0] != score
        if ends and right >= target_precision * count:
            best = Threshold(
                score=score, reached=share_of(right, count), kept_good=share_of(right, good)
            )
    return best
