"""A calibration in words: Markdown that a terminal shows as well."""

from collections.abc import Iterator

from benchloom.calibration.agreement import Agreement
from benchloom.calibration.calibrating import Calibration, Reliability
from benchloom.calibration.shares import LEVEL


def calibration_lines(found: Calibration) -> Iterator[str]:
    """What was compared, agreement, and a line for each check, judge and panel."""
    if found.labelled:
        yield (
            f"{found.labelled} labelled texts: {found.good} good, "
            f"{found.labelled - found.undecided - found.good} flawed, {found.undecided} undecided"
        )
    for group, agreement in (("people", found.people), ("judges", found.judges)):
        if agreement is not None:
            yield _agreed(group, agreement)
    if found.raters:
        yield f"Shares with {LEVEL:.0%} intervals, the least reliable about flaws first:"
        yield ""
        yield "| check | texts | dropped rightly | flaws found | good texts kept | threshold |"
        yield "|---|---|---|---|---|---|"
        for one in sorted(found.raters, key=_order):
            told = [one.precision, one.recall, one.good_kept]
            cells = [one.rater, str(one.texts), *map(str, told), _threshold(one)]
            yield f"| {' | '.join(cells)} |"


def _order(one: Reliability) -> tuple[float, float, str]:
    precision, recall = one.precision.share, one.recall.share
    return (2.0 if precision is None else precision, recall or 0.0, one.rater)


def _agreed(group: str, found: Agreement) -> str:
    alpha = "cannot be told" if found.alpha is None else f"{found.alpha:.3f}"
    return (
        f"{group}: {len(found.raters)} raters, {found.equal} of {found.texts} texts alike, "
        f"Krippendorff's alpha {alpha}"
    )


def _threshold(one: Reliability) -> str:
    if one.threshold is None:
        return "-"
    return f"{one.threshold.score:g}: {one.threshold.reached}"
