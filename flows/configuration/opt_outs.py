"""This module finds opt-outs that match nothing in the workspace, perhaps because of a typo.

A mistyped opt-out would leave an entry in the release. An opt-out without a match only causes a
warning and no fault, because owners may opt out before their entries are crawled.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from benchloom.core.errors import BenchloomError
from benchloom.core.icloud_links import find_ids
from flows.configuration.faults import Problem
from flows.configuration.model import Configuration
from scrapers.errors import MirrorError

_COLUMNS = {
    "listings": ("listing_url", "icloud_id"),
    "icloud_records": ("icloud_id",),
    "shortcuts": ("shortcut_id", "icloud_ids"),
    "dialogues": ("dialogue_id",),
}
_STAGES = ("parsed", "normalised", "releases")
_BATCH = 20_000  # there may be millions of captures


def opt_out_problems(
    configuration: Configuration, base: Path, workspace: Path
) -> Iterator[Problem]:
    """Yield a problem for each opt-out that matches nothing in any capture, stage or release."""
    unmatched, has_texts = list(dict.fromkeys(configuration.crawl.opt_out)), False
    if not unmatched:
        return
    try:
        captures = configuration.captures_folder(base, workspace)
    except MirrorError:  # reported as a fault
        return
    for texts in _captured_addresses(captures, workspace):
        has_texts = has_texts or bool(texts)
        unmatched = [entry for entry in unmatched if not _forms(entry) & texts]
        if not unmatched:
            return
    for entry in unmatched if has_texts else ():
        message = (
            f"'{entry}' matches nothing in {workspace}: if the entry was crawled, check the "
            f"spelling"
        )
        yield Problem("crawl.opt_out", message, entry)


def _captured_addresses(captures: Path, workspace: Path) -> Iterator[set[str]]:
    """Yield sets of the addresses and ids that captures, stages and releases contain.

    Unreadable files are skipped, because the stages that read them report them.
    """
    from benchloom.storage.tables.reader import table_parts

    with suppress(BenchloomError, OSError):
        yield from _addresses_of(captures)
    folders = [folder for name in _STAGES for folder in sorted((workspace / name).glob("*"))]
    for folder in filter(Path.is_dir, folders):
        for table, columns in _COLUMNS.items():
            with suppress(BenchloomError, OSError):
                for path in table_parts(folder, table):
                    yield _in_part(path, columns)


def _forms(entry: str) -> set[str]:
    """Return the spellings under which an address or id is compared with opt-outs."""
    text = entry.strip().rstrip("/")
    return {text, *find_ids(text), text.lower().replace("-", "")}


def _addresses_of(folder: Path) -> Iterator[set[str]]:
    from scrapers.captures import captures_in

    captures = captures_in(folder)
    while batch := list(islice(captures, _BATCH)):
        yield {form for capture in batch for form in _forms(capture.url)}


def _in_part(path: Path, columns: Sequence[str]) -> set[str]:
    from benchloom.storage.tables import read_rows
    from benchloom.storage.tables.files import schema_of

    # A table of an earlier version may lack a column.
    existing_columns = [name for name in columns if name in schema_of(path).names]
    all_texts: set[str] = set()
    for column in read_rows(path, existing_columns).columns if existing_columns else ():
        for value in column.to_pylist():
            texts = value if isinstance(value, list) else [value]
            all_texts.update(str(text).rstrip("/") for text in texts if text)
    return all_texts
