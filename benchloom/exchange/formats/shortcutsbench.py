"""The format of ShortcutsBench's records, which contain a shortcut as JSON and its source.

Each record is a separate file. An index per split contains the requests, as in the format
`shortcut`. `import` does not read this format, because the records are shortcuts: `parse shortcuts`
reads them.
"""

import math
from pathlib import Path
from typing import ClassVar

import msgspec

from benchloom.core.records import Shortcut
from benchloom.exchange.examples import Loss
from benchloom.exchange.formats._shortcut_file import LOSSES, PlistValue, root_of
from benchloom.exchange.formats.base import ExampleWriter, Writing, WritingOptions
from benchloom.exchange.formats.shortcut import ShortcutWriter, file_name

_ENCODER = msgspec.json.Encoder(order="deterministic")
_SHARED = "https://www.icloud.com/shortcuts/"


class Record(msgspec.Struct, frozen=True, rename="pascal"):
    """A ShortcutsBench record with a shortcut.

    `records` should contain iCloud's response about the link, but is null, because no row contains
    it.
    """

    source: str
    name_in_store: str
    description_in_store: str
    url: str = msgspec.field(name="URL")
    records: None = msgspec.field(name="records")
    shortcut: dict[str, PlistValue] = msgspec.field(name="shortcut")


class _RecordWriter(ShortcutWriter):
    def name_of(self, row: Shortcut) -> str:
        return f"{file_name(row).removesuffix('.shortcut')}.json"

    def content_of(self, row: Shortcut) -> tuple[bytes, tuple[Loss, ...]]:
        root, losses = root_of(row)
        record = Record(
            source=row.source_uri,
            name_in_store=row.name or "",
            description_in_store=row.description or "",
            url=f"{_SHARED}{row.icloud_ids[0]}" if row.icloud_ids else "",
            records=None,
            shortcut={name: _to_json(value) for name, value in root.items()},
        )
        all_losses = (*losses, Loss("records", "records"))
        if len(row.icloud_ids) > 1:
            all_losses = (*all_losses, Loss("link", "icloud_ids"))
        return _ENCODER.encode(record) + b"\n", all_losses


class _ShortcutsBench(Writing):
    title = "ShortcutsBench's records: shortcuts as JSON, with an index per split"
    tables = frozenset({"shortcuts"})
    losses: ClassVar[dict[str, str]] = {
        **LOSSES,
        "records": "iCloud's response about a link is not written, because no row contains it",
        "link": "only the first of several links to a shortcut is written",
    }

    def writer(self, folder: Path, options: WritingOptions) -> ExampleWriter:
        return _RecordWriter(folder)


def _to_json(value: PlistValue) -> PlistValue:
    """Convert a property list value to JSON; an infinite number becomes a mapping, as in rows."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": str(value)}
    if isinstance(value, list):
        return [_to_json(element) for element in value]
    if isinstance(value, dict):
        return {name: _to_json(field_value) for name, field_value in value.items()}
    return value


FORMAT = _ShortcutsBench()
