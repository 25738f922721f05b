"""Opt-outs that match nothing that is known here: right in form, and perhaps mistyped.

No fault, for an owner may ask before anything of theirs was crawled; but a mistyped one would be a
takedown that is lost in silence.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from benchloom.core.errors import BenchloomError
from benchloom.core.icloud_links import find_ids
from flows.configuration.faults import Fault
from flows.configuration.file import SoundPart
from scrapers.errors import MirrorError

_COLUMNS = {
    "listings": ("listing_url", "icloud_id"),
    "icloud_records": ("icloud_id",),
    "shortcuts": ("shortcut_id", "icloud_ids"),
    "dialogues": ("dialogue_id",),
}
_STAGES = ("parsed", "normalised", "releases")
_AT_ONCE = 20_000


def opt_out_doubts(part: SoundPart, base: Path, workspace: Path) -> Iterator[Fault]:
    """Each opt-out that no capture, stage or release of the workspace knows.

    None where there is nothing to look into.
    """
    entries = part.configuration.crawl.opt_out
    if not entries:
        return
    unmatched, looked = dict.fromkeys(entries), False
    try:
        captures = part.configuration.captures_folder(base, workspace)
    except MirrorError:  # a fault of its own
        return
    for texts in _known(captures, workspace):
        looked = looked or bool(texts)
        unmatched = {opt_out: None for opt_out in unmatched if not _forms(opt_out) & texts}
        if not unmatched:
            return
    for entry in unmatched if looked else ():
        message = (
            f"crawl.opt_out[{entries.index(entry)}]: '{entry}' matches nothing in {workspace}: "
            "right if it was never crawled; else look whether it is spelt as its owner gave it"
        )
        yield part.located(Fault(message, ("crawl", "opt_out"), f'"{entry}"'), entry)


def _known(captures: Path, workspace: Path) -> Iterator[set[str]]:
    """What addresses and ids there are, part by part; what cannot be read is left to its stage."""
    from benchloom.storage.tables.reading import table_parts

    with suppress(BenchloomError, OSError):
        yield from _captured(captures)
    for folder in (
        stage_folder for name in _STAGES for stage_folder in sorted((workspace / name).glob("*"))
    ):
        for table, columns in _COLUMNS.items() if folder.is_dir() else ():
            with suppress(BenchloomError, OSError):
                for path in table_parts(folder, table):
                    yield _in_part(path, columns)


def _forms(entry: str) -> set[str]:
    """An opt-out, or an address that is known, in every form in which one may meet the other."""
    text = entry.strip().rstrip("/")
    return {text, *find_ids(text), text.lower().replace("-", "")}


def _captured(folder: Path) -> Iterator[set[str]]:
    """Addresses in the archives of a folder, some at once: there may be millions."""
    from scrapers.captures import captures_in

    captures = captures_in(folder)
    while some := list(islice(captures, _AT_ONCE)):
        yield {form for capture in some for form in _forms(capture.url)}


def _in_part(path: Path, columns: Sequence[str]) -> set[str]:
    """The texts of some columns; a table of an earlier version may lack one."""
    from benchloom.storage.tables import read_rows
    from benchloom.storage.tables.files import schema_of

    there = [column_name for column_name in columns if column_name in schema_of(path).names]
    all_texts: set[str] = set()
    for column in read_rows(path, there).columns if there else ():
        for value in column.to_pylist():
            texts = value if isinstance(value, list) else [value]
            all_texts.update(str(text).rstrip("/") for text in texts if text)
    return all_texts
