"""Write `import-report.html`: a page about the contents of an imported dataset, with examples."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchloom.core.records import Rejected
from benchloom.exchange import explanations as of_exchange
from benchloom.exchange.examples.imports import MAX_LISTED, Report
from benchloom.normalise import explanations as of_plans
from benchloom.normalise.redaction import redact_text
from benchloom.release.descriptions.pages import visible, write_page

IMPORT_REPORT = "import-report.html"
LONGEST = 600
"""Maximum number of characters that the page shows of a text."""
MAX_FILES = 200
_MEANINGS = {
    reason: explanation.text
    for reason, explanation in {**of_exchange.EXPLANATIONS, **of_plans.EXPLANATIONS}.items()
}


def write_import_page(
    folder: Path,
    title: str,
    report: Report,
    rows: Mapping[str, int],
    damaged: Sequence[Rejected],
    *,
    undefined: bool,
) -> Path:
    """Write `import-report.html` into the folder of an import, and return its path.

    `rows` maps a table to its number of rows. `damaged` are the input rows that could not be read.
    """
    by_reason: dict[str, list[Rejected]] = {}
    for row in damaged:
        by_reason.setdefault(row.reason, []).append(row)
    return write_page(
        folder / IMPORT_REPORT,
        "import_report.html.j2",
        title=title,
        places=list(_links(report, damaged)),
        report=report,
        rows=rows,
        files=sorted(report.by_file.items())[:MAX_FILES],
        more_files=max(0, len(report.by_file) - MAX_FILES),
        damaged=dict(sorted(by_reason.items())),
        meanings=_MEANINGS,
        undefined=undefined,
        most=MAX_LISTED,
        shown_text=_shorten,
    )


def _links(report: Report, damaged: Sequence[Rejected]) -> Iterator[tuple[str, str, int | None]]:
    yield "#findings", "Findings by kind", None
    if report.by_file:
        yield "#files", "Findings by file", len(report.by_file)
    for number, kind in enumerate(report.shown, 1):
        yield f"#kind-{number}", kind, report.findings.get(kind)
    if damaged:
        yield "#damaged", "Not read", len(damaged)


def _shorten(text: str) -> str:
    display_text = visible(redact_text(text).text)
    return display_text if len(display_text) <= LONGEST else f"{display_text[:LONGEST]} …"
