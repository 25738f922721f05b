"""Write the result of a calibration as Markdown that is also readable in a terminal."""

from collections.abc import Iterator

from benchloom.core.shares import LEVEL
from benchloom.release.review.calibration.agreement import Agreement
from benchloom.release.review.calibration.thresholds import Calibration, Reliability


def calibration_lines(calibration: Calibration) -> Iterator[str]:
    """Yield the lines of the report: labelled texts, agreement, and a table of all raters."""
    if calibration.labelled:
        yield (
            f"{calibration.labelled} labelled texts: {calibration.good} good, "
            f"{calibration.labelled - calibration.undecided - calibration.good} flawed, "
            f"{calibration.undecided} undecided"
        )
    for group, agreement in (("people", calibration.people), ("judges", calibration.judges)):
        if agreement is not None:
            yield _agreement_line(group, agreement)
    if calibration.raters:
        yield f"Shares with {LEVEL:.0%} intervals, the least reliable about flaws first:"
        yield ""
        yield "| check | texts | dropped rightly | flaws found | good texts kept | threshold |"
        yield "|---|---|---|---|---|---|"
        for reliability in sorted(calibration.raters, key=_order):
            shares = [reliability.precision, reliability.recall, reliability.good_kept]
            cells = [
                reliability.rater,
                str(reliability.texts),
                *map(str, shares),
                _threshold(reliability),
            ]
            yield f"| {' | '.join(cells)} |"
    reasons = [
        f"| {reliability.rater} | {reason} | {share} |"
        for reliability in calibration.raters
        for reason, share in reliability.reasons.items()
    ]
    if reasons:
        yield from ("", "| judge | reason | dropped rightly |", "|---|---|---|", *reasons)


def _order(reliability: Reliability) -> tuple[float, float, str]:
    precision, recall = reliability.precision.share, reliability.recall.share
    return (2.0 if precision is None else precision, recall or 0.0, reliability.rater)


def _agreement_line(group: str, agreement: Agreement) -> str:
    alpha = "not measurable" if agreement.alpha is None else f"{agreement.alpha:.3f}"
    return (
        f"{group}: {len(agreement.raters)} raters, "
        f"{agreement.equal} of {agreement.texts} texts alike, "
        f"Krippendorff's alpha {alpha}"
    )


def _threshold(reliability: Reliability) -> str:
    if reliability.threshold is None:
        return "-"
    return f"{reliability.threshold.score:g}: {reliability.threshold.reached}"
