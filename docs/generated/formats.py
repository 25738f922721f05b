"""Generates the pages about formats for export and import, with what each format loses."""

import sys
from collections.abc import Iterator, Mapping

from benchloom.exchange.formats import FORMATS, Format, Reading, Writing

TITLE = "Formats"
_INDEX = """# Formats

`benchloom release export RELEASE --format NAME` writes the rows of a release in one of these
formats, `benchloom import NAME` reads them. An export has a file per split, a card, and
`losses.jsonl` with a line for each row that the format cannot store completely; the page of the
format explains its kinds of losses. A row without such a line is imported with the same calls,
references and texts, and with definitions as complete as the format allows.

| format | what it is | read | written | tables |
|---|---|---|---|---|
{rows}
"""


def pages() -> Mapping[str, str]:
    """Return an overview and a page for each format, as a mapping from paths to texts."""
    members = FORMATS.all()
    rows = "\n".join(_row(name, member) for name, member in members.items())
    texts_by_path = {"formats/index.md": _INDEX.format(rows=rows)}
    texts_by_path.update(
        {
            f"formats/{name}.md": _page(name, dataset_format)
            for name, dataset_format in members.items()
        }
    )
    return texts_by_path


def _row(name: str, member: Format) -> str:
    is_read = "yes" if isinstance(member, Reading) else ""
    is_written, tables = "", ""
    if isinstance(member, Writing):
        is_written = "yes"
        tables = ", ".join(f"`{table}`" for table in sorted(member.tables))
    return f"| [`{name}`]({name}.md) | {member.title} | {is_read} | {is_written} | {tables} |"


def _page(name: str, member: Format) -> str:
    description = (sys.modules[type(member).__module__].__doc__ or "").strip()
    return "\n".join([f"# {name}", "", description, "", *_losses(member)])


def _losses(member: Format) -> Iterator[str]:
    if not isinstance(member, Writing) or not member.losses:
        return
    yield from ("## What it cannot hold", "", "| word | meaning |", "|---|---|")
    for word, meaning in sorted(member.losses.items()):
        yield f"| `{word}` | {meaning} |"
    yield ""
