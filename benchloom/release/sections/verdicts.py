"""The section of a release's report about the verdicts of checks and people on generated texts."""

from collections import Counter, defaultdict

from benchloom.core.records.texts import is_human
from benchloom.release.descriptions.counting import TableSection
from benchloom.release.descriptions.figures import Section
from benchloom.release.descriptions.tables import ReleaseTables, TableFile

TABLES = ("verdicts",)
ORDER = 70


def section(tables: ReleaseTables) -> Section:
    """Count verdicts by check and reason, and the answers of people, and return the section."""
    table = TableSection(tables, "verdicts")
    checks: Counter[tuple[str, str]] = Counter()
    for (check, answer), count in table.pairs("check", "kept").items():
        checks[check, "kept" if answer == "yes" else "dropped"] += count
    reasons: Counter[str] = Counter()
    for (reason, answer), count in table.pairs("reason", "kept").items():
        if answer != "yes":
            reasons[reason] += count
    table.figure("rows", "verdicts", table.rows)
    table.figure("dropped", "against a text", reasons.total())
    _add_people(table)
    table.ranked("reason", "Reasons against a text", "verdicts", reasons)
    table.crossed(
        "check",
        "Checks",
        "verdicts",
        checks,
        row="check",
        column="verdict",
        columns=("kept", "dropped"),
    )
    return table.section(
        "Verdicts",
        "Every check keeps or drops every generated text, with a reason; if people read a text, "
        "their answers decide.",
    )


def _add_people(table: TableSection) -> None:
    answers: defaultdict[str, list[bool]] = defaultdict(list)
    readers: set[str] = set()
    for rows in table.each(list[tuple[str, str, bool]], _reader_rows):
        for target, check, is_kept in rows:
            readers.add(check)
            answers[target].append(is_kept)
    if answers:
        votes = list(answers.values())
        table.figure("readers", "people who read texts", len(readers))
        table.figure("read", "texts that people read", len(votes))
        table.figure("accepted", "accepted by most", sum(2 * sum(v) > len(v) for v in votes))
        table.figure("unsettled", "unsettled", sum(2 * sum(v) == len(v) for v in votes))


def _reader_rows(file: TableFile) -> list[tuple[str, str, bool]]:
    return [row for row in file.values(["target_id", "check", "kept"]) if is_human(row[1])]
