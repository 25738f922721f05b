"""Opt-outs that match nothing that is known here: right in form, and perhaps mistyped.

No fault, for an owner may ask before anything of theirs was crawled; but a mistyped one would be a
takedown that is lost in silence.
"""

from collections.abc import Iterator
from pathlib import Path

from benchloom.icloud_links import find_ids
from flows.configuration.faults import Fault
from flows.configuration.reading import SoundPart

_COLUMNS = {
    "listings": ("listing_url", "icloud_id"),
    "icloud_records": ("icloud_id",),
    "shortcuts": ("shortcut_id", "icloud_ids"),
    "dialogues": ("dialogue_id",),
}
_STAGES = ("parsed", "normalised", "releases")


def opt_out_doubts(part: SoundPart, base: Path, workspace: Path) -> Iterator[Fault]:
    """Each opt-out that no capture, stage or release of the workspace knows.

    None where there is nothing to look into.
    """
    entries = part.configuration.crawl.opt_out
    if not entries:
        return
    known = set(_captured(part.configuration.captures_folder(base, workspace)))
    known |= set(_in_tables(workspace))
    if not known:
        return
    for number, entry in enumerate(entries):
        if not _forms(entry) & known:
            told = (
                f"crawl.opt_out[{number}]: '{entry}' matches nothing in {workspace}: right if it "
                "was never crawled; else look whether it is spelt as its owner gave it"
            )
            yield part.located(Fault(told, ("crawl", "opt_out"), f'"{entry}"'), entry)


def _forms(entry: str) -> set[str]:
    """An opt-out, or an address that is known, in every form in which one may meet the other."""
    text = entry.strip().rstrip("/")
    return {text, *find_ids(text), text.lower().replace("-", "")}


def _captured(folder: Path) -> Iterator[str]:
    from scrapers.captures import CaptureStore

    if not folder.is_dir():
        return
    store = CaptureStore(folder)
    try:
        for capture in store.captures():
            yield from _forms(capture.url)
    finally:
        store.close()


def _in_tables(workspace: Path) -> Iterator[str]:
    from benchloom.tables import read_rows
    from benchloom.tables.reading import table_parts

    for folder in (one for name in _STAGES for one in sorted((workspace / name).glob("*"))):
        for table, columns in _COLUMNS.items() if folder.is_dir() else ():
            for path in table_parts(folder, table):
                rows = read_rows(path, list(columns))
                for column in columns:
                    for value in rows.column(column).to_pylist():
                        for text in value if isinstance(value, list) else [value]:
                            if text:
                                yield str(text).rstrip("/")
