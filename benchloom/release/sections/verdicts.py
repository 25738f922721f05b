"""Section: the verdicts of checks and people on the generated texts."""

from collections import Counter, defaultdict

from benchloom.core.records.texts import is_human
from benchloom.release.describing.counting import count_pairs
from benchloom.release.describing.figures import Figure, Section, crossed, ranked
from benchloom.release.describing.tables import ReleaseTables, TableFile

TABLES = ("verdicts",)
ORDER = 70


def section(tables: ReleaseTables) -> Section:
    """Return the statistics of verdicts."""
    check_counts: Counter[tuple[str, str]] = Counter()
    for (check, answer), count in count_pairs(tables, "verdicts", "check", "kept").items():
        check_counts[check, "kept" if answer == "yes" else "dropped"] += count
    reasons: Counter[str] = Counter()
    for (reason, answer), count in count_pairs(tables, "verdicts", "reason", "kept").items():
        if answer != "yes":
            reasons[reason] += count
    dropped = sum(count for (_, answer), count in check_counts.items() if answer == "dropped")
    return Section(
        "verdicts",
        "Verdicts",
        "Every check keeps or drops every generated text, with a reason; if people read a text, "
        "their answers decide.",
        (
            Figure("verdicts.rows", "verdicts", tables.rows()["verdicts"]),
            Figure("verdicts.dropped", "against a text", dropped),
            *_people(tables),
        ),
        (ranked("verdicts.reason", "Reasons against a text", "verdicts", reasons),),
        (
            crossed(
                "verdicts.check",
                "Checks",
                "verdicts",
                check_counts,
                row="check",
                column="verdict",
                columns=("kept", "dropped"),
            ),
        ),
    )


def _people(tables: ReleaseTables) -> tuple[Figure, ...]:
    said: defaultdict[str, list[bool]] = defaultdict(list)
    readers: set[str] = set()
    for words_of_people in tables.each("verdicts", list[tuple[str, str, bool]], _reader_rows):
        for target, check, is_kept in words_of_people:
            readers.add(check)
            said[target].append(is_kept)
    if not said:
        return ()
    words = list(said.values())
    return (
        Figure("verdicts.readers", "people who read texts", len(readers)),
        Figure("verdicts.read", "texts that people read", len(words)),
        Figure("verdicts.accepted", "accepted by most", sum(2 * sum(w) > len(w) for w in words)),
        Figure("verdicts.unsettled", "unsettled", sum(2 * sum(w) == len(w) for w in words)),
    )


def _reader_rows(file: TableFile) -> list[tuple[str, str, bool]]:
    return [row for row in file.values(["target_id", "check", "kept"]) if is_human(row[1])]
