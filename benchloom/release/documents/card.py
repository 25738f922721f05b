"""`README.md`: the dataset card, with front matter that Hugging Face's loader reads."""

from pathlib import Path
from typing import Any

import yaml

from benchloom.release.describing import ReleaseView
from benchloom.release.describing.pages import write_page
from benchloom.release.texts import DESCRIPTION, LICENCE, LIMITS, TAKEDOWN
from benchloom.tables import TableDefinition, definition, load_table

PATHS = ("README.md",)

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def write(release: ReleaseView, folder: Path) -> list[Path]:
    """Write the card; its figures are those of the report."""
    tables = release.tables.rows()
    front = yaml.safe_dump(front_matter(tables), sort_keys=False, allow_unicode=True).strip()
    return [
        write_page(
            folder / "README.md",
            "card.md.j2",
            front=front,
            release=release,
            tables=[(load_table(name), rows, _text(name)) for name, rows in tables.items()],
            description=DESCRIPTION,
            licence=LICENCE,
            takedown=TAKEDOWN,
            limits=LIMITS,
            example=next(iter(default_first(tables)), "shortcuts"),
            nested=nested,
        )
    ]


def front_matter(tables: dict[str, int]) -> dict[str, Any]:
    """The fields the Hub and its loader read; the main table is the default."""
    names = default_first(tables)
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
        "configs": [
            {
                "config_name": name,
                "data_files": [{"split": "train", "path": f"{name}/*.parquet"}],
                **({"default": True} if name == names[0] else {}),
            }
            for name in names
            # `datasets` refuses a split without rows.
            if tables[name]
        ],
    }


def default_first(tables: dict[str, int]) -> list[str]:
    """The tables, the one most people want first, those without rows last."""
    wanted = ("shortcuts", "planning_paths", "api_definitions")

    def order(name: str) -> tuple[bool, int, str]:
        return not tables[name], wanted.index(name) if name in wanted else len(wanted), name

    return sorted(tables, key=order)


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
