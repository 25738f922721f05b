"""Section: what the checks say about the generated texts."""

from collections import Counter

from benchloom.release.describing.counting import count_pairs
from benchloom.release.describing.figures import Figure, Section, crossed, ranked
from benchloom.release.describing.tables import ReleaseTables

TABLES = ("verdicts",)
ORDER = 70


def section(tables: ReleaseTables) -> Section:
    """The figures of the verdicts of a release."""
    kept: Counter[tuple[str, str]] = Counter()
    for (check, answer), count in count_pairs(tables, "verdicts", "check", "kept").items():
        kept[check, "kept" if answer == "yes" else "dropped"] += count
    reasons: Counter[str] = Counter()
    for (reason, answer), count in count_pairs(tables, "verdicts", "reason", "kept").items():
        if answer != "yes":
            reasons[reason] += count
    dropped = sum(count for (_, answer), count in kept.items() if answer == "dropped")
    return Section(
        "verdicts",
        "Verdicts",
        "Every check says about every generated text whether it stays, and why.",
        (
            Figure("verdicts.rows", "verdicts", tables.rows()["verdicts"]),
            Figure("verdicts.dropped", "against a text", dropped),
        ),
        (ranked("verdicts.reason", "Reasons against a text", "verdicts", reasons),),
        (
            crossed(
                "verdicts.check",
                "Checks",
                "verdicts",
                kept,
                row="check",
                column="verdict",
                columns=("kept", "dropped"),
            ),
        ),
    )
