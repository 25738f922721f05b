"""How far verdicts can be trusted: precision and recall of each check on labelled texts.

`python -m prompts.results.calibration LABELS DIR...` prints the figures. LABELS is an input
file of `benchloom judge` whose lines also have `flaws` (a list, empty for a good text); the
folders contain the rows made from LABELS and the verdicts on these rows, by rules and by
judges.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from benchloom.core.errors import BenchloomError
from benchloom.core.records import Query, Rejected, Verdict
from benchloom.storage.tables import iter_records, table_parts
from prompts.checks.measure import Figures
from prompts.inputs.supplied_texts import SuppliedText, read_supplied

ALL = "all together"
"""Stands for a text that any check drops."""


class Calibration(msgspec.Struct, frozen=True):
    """Precision and recall of each check and of all checks together, and the result per flaw.

    `flaws` maps each flaw to the number of dropped texts and the number of all texts with this
    flaw. `unjudged` counts labels without a verdict.
    """

    checks: tuple[Figures, ...]
    flaws: dict[str, tuple[int, int]]
    unjudged: int


def calibrate(verdicts: Iterable[Verdict], flaws: Mapping[str, Sequence[str]]) -> Calibration:
    """Compare verdicts with labels; `flaws` maps the `query_id` of each text to its flaws."""
    dropped: defaultdict[str, set[str]] = defaultdict(set)
    judged: defaultdict[str, set[str]] = defaultdict(set)
    for verdict in verdicts:
        if verdict.target_id in flaws:
            for check in (verdict.check, ALL):
                judged[check].add(verdict.target_id)
                if not verdict.kept:
                    dropped[check].add(verdict.target_id)
    figures = []
    for check in sorted(judged, key=lambda name: (name == ALL, name)):
        flawed = {query_id for query_id in judged[check] if flaws[query_id]}
        right = len(dropped[check] & flawed)
        wrong = len(dropped[check] - flawed)
        figures.append(Figures(check, len(judged[check]), right, wrong, len(flawed) - right))
    by_flaw: defaultdict[str, list[bool]] = defaultdict(list)
    for query_id in judged[ALL]:
        for flaw in flaws[query_id]:
            by_flaw[flaw].append(query_id in dropped[ALL])
    shares = {flaw: (sum(outcomes), len(outcomes)) for flaw, outcomes in sorted(by_flaw.items())}
    return Calibration(tuple(figures), shares, len(flaws) - len(judged[ALL]))


def labels_of(path: Path, folders: Sequence[Path]) -> dict[str, tuple[str, ...]]:
    """Return the flaws of each labelled text by the `query_id` of its row in the folders."""
    with path.open("rb") as file:
        read = [parsed_line for _, parsed_line in read_supplied(file.readline, path.name)]
    flaws_by_text = {
        (line.target_id, line.text.strip()): line.flaws
        for line in read
        if isinstance(line, SuppliedText) and not isinstance(line, Rejected)
    }
    return {
        row.query_id: flaws_by_text[row.target_id, row.text]
        for folder in folders
        if table_parts(folder, "queries")
        for row in iter_records(folder, "queries", Query)
        if (row.target_id, row.text) in flaws_by_text
    }


def report(calibration: Calibration) -> list[str]:
    """Return the figures as table lines."""
    width = max([len(entry.check) for entry in calibration.checks], default=5)
    lines = [f"{'check':<{width}} {'texts':>5} {'flawed':>6} {'precision':>9} {'recall':>6}"]
    lines += [
        f"{entry.check:<{width}} {entry.rows:>5} {entry.right + entry.missed:>6} "
        f"{entry.precision:>9.2f} {entry.recall:>6.2f}"
        for entry in calibration.checks
    ]
    lines += [f"{flaw}: {caught} of {count}" for flaw, (caught, count) in calibration.flaws.items()]
    return [*lines, f"{calibration.unjudged} labelled texts without a verdict"]


def main(words: Sequence[str]) -> None:
    """Print the figures of a file of labels and folders of verdicts."""
    if len(words) < 2:
        sys.exit("usage: python -m prompts.results.calibration LABELS DIR...")
    folders = [Path(word) for word in words[1:]]
    try:
        labels = labels_of(Path(words[0]), folders)
        verdicts = [
            verdict
            for folder in folders
            if table_parts(folder, "verdicts")
            for verdict in iter_records(folder, "verdicts", Verdict)
        ]
        sys.stdout.write("\n".join(report(calibrate(verdicts, labels))) + "\n")
    except (BenchloomError, OSError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main(sys.argv[1:])
