"""`README.md`: the dataset card, with front matter that Hugging Face's loader reads."""

from pathlib import Path
from typing import Any

import yaml

from benchloom.release.describing import ReleaseView
from benchloom.release.describing.loading import (
    Configuration,
    DataFiles,
    card_configs,
    configurations,
)
from benchloom.release.describing.pages import write_page
from benchloom.release.texts import DESCRIPTION, LICENCE, LIMITS, TAKEDOWN
from benchloom.tables import TableDefinition, definition, load_table

PATHS = ("README.md",)

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))

_NOTHING = Configuration("shortcuts", "shortcuts", (DataFiles("train", "", 0),))


def write(release: ReleaseView, folder: Path) -> list[Path]:
    """Write the card; its figures are those of the report."""
    tables = release.tables.rows()
    loaded = configurations(release.tables.files)
    front = yaml.safe_dump(front_matter(tables), sort_keys=False, allow_unicode=True)
    front += card_configs(release.tables.files)
    return [
        write_page(
            folder / "README.md",
            "card.md.j2",
            front=front.strip(),
            release=release,
            tables=[(load_table(name), rows, _text(name)) for name, rows in tables.items()],
            description=DESCRIPTION,
            licence=LICENCE,
            takedown=TAKEDOWN,
            limits=LIMITS,
            configurations=loaded,
            example=loaded[0] if loaded else _NOTHING,
            nested=nested,
        )
    ]


def front_matter(tables: dict[str, int]) -> dict[str, Any]:
    """What the Hub shows and searches by; `configs` follow it."""
    largest = max(tables.values(), default=0)
    size = next((name for limit, name in _SIZES if largest < limit), "n>1M")
    return {
        "pretty_name": "benchloom",
        "language": ["en"],
        "multilinguality": ["multilingual"],
        "license": "other",
        "license_name": "see-the-source-of-each-row",
        "size_categories": [size],
        "task_categories": ["text-generation"],
        "tags": ["tool-use", "function-calling", "planning", "agents", "croissant"],
    }


def nested(table: TableDefinition) -> list[tuple[str, str, str]]:
    """Path, type and description of every column, nested ones too, in order."""
    found: list[tuple[str, str, str]] = []
    pending = [("", column) for column in reversed(table.columns)]
    while pending:
        prefix, column = pending.pop()
        path = prefix + column.name
        found.append((path, column.type, column.description))
        inner = f"{path}[]." if column.is_list else f"{path}."
        pending.extend((inner, field) for field in reversed(column.fields))
    return found


def _text(table: str) -> str:
    path = definition.DATASETS / table / "card.md"
    return path.read_text(encoding="utf-8").strip() if path.is_file() else ""
