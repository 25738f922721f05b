"""Write `README.md`: the dataset card, with front matter that Hugging Face's `datasets` reads.

The card stays below 300 lines: long lists, such as those of sources, are replaced by counts.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml

from benchloom.core.set_details import SetDetails
from benchloom.release.descriptions import ReleaseView
from benchloom.release.descriptions.example_rows import example_row
from benchloom.release.descriptions.loading import (
    Configuration,
    DataFiles,
    card_configs,
    configurations,
    default_first,
)
from benchloom.release.descriptions.pages import DESCRIPTION, LICENCE, LIMITS, TAKEDOWN, write_page
from benchloom.release.descriptions.tables import Note
from benchloom.release.documents.citation import bibtex
from benchloom.storage.inputs import SourceFile
from benchloom.storage.tables import SPLITS, UNSPLIT, load_table


class Join(NamedTuple):
    """An example on the card that joins tables: what the joined rows are, and the pandas code."""

    title: str
    code: str


JOINS: Final = (
    Join(
        "Requests of test with the plan that answers them",
        """\
import pandas as pd
test = [("split", "==", "test")]
requests = [("kind", "==", "instruction"), ("kept", "==", True)]
texts = pd.read_parquet("queries", filters=[*test, *requests])
plans = pd.read_parquet("planning_paths", filters=test, columns=["path_id", "category", "steps"])
joined = texts.merge(plans, left_on="target_id", right_on="path_id", suffixes=("", "_of_plan"))""",
    ),
    Join(
        "Requests with the shortcut they ask for",
        """\
import pandas as pd
texts = pd.read_parquet("queries", filters=[("kind", "==", "query"), ("kept", "==", True)])
rows = pd.read_parquet("shortcuts", columns=["shortcut_id", "name", "level", "workflow"])
joined = texts.merge(rows, left_on="target_id", right_on="shortcut_id")""",
    ),
    Join(
        "The steps of every plan with the definitions of their APIs",
        """\
import pandas as pd
steps = pd.read_parquet("planning_paths", columns=["path_id", "steps"]).explode("steps")
steps["definition_id"] = steps.steps.str["definition_id"]
apis = pd.read_parquet("api_definitions", columns=["definition_id", "title", "parameters"])
joined = steps.merge(apis, on="definition_id")""",
    ),
    Join(
        "The actions of every shortcut with the definitions of their APIs",
        """\
import pandas as pd
checks = pd.read_parquet("definition_checks", columns=["shortcut_id", "actions"])
actions = checks.explode("actions").dropna(subset="actions")
actions["definition_id"] = actions.actions.str["definition_id"]
apis = pd.read_parquet("api_definitions", columns=["definition_id", "api", "parameters"])
joined = actions.merge(apis, on="definition_id")""",
    ),
    Join(
        "What users said with the plan that was made from it",
        """\
import pandas as pd
said = pd.read_parquet("dialogues", columns=["source_id", "path_id", "utterances", "licence"])
plans = pd.read_parquet("planning_paths", columns=["path_id", "split", "steps"])
joined = said.merge(plans, on="path_id")""",
    ),
)

PATHS = ("README.md",)

MAX_KINDS = 8
"""Maximum number of kinds of sources (file name endings) that have a separate line in the card."""
MAX_STAGES = 30
MAX_NOTES = 3
MAX_NOTE_ROWS = 8
"""The card shows a stage's table of statistics only up to this number of rows; `FIGURES.md` shows
all."""
_COLUMNS = (*SPLITS, UNSPLIT)
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_NOTHING = Configuration("shortcuts", "shortcuts", (DataFiles("train", "", 0),))


def write(release: ReleaseView, folder: Path) -> list[Path]:
    """Write the dataset card and return its path. Its numbers equal those of `report.html`."""
    tables = release.tables.rows()
    loaded = configurations(release.tables.files)
    front = yaml.safe_dump(
        _front_matter(tables, release.details), sort_keys=False, allow_unicode=True
    )
    front += card_configs(release.tables.files)
    rows = ((name, example_row(release.tables, name)) for name in default_first(tables))
    return [
        write_page(
            folder / "README.md",
            "card.md.j2",
            front=front.strip(),
            release=release,
            splits=_COLUMNS,
            counted=list(_count_rows(loaded, tables)),
            examples=[(name, row) for name, row in rows if row is not None],
            joins=JOINS,
            sources=sources_by_kind(release.sources),
            notes=_short(release.notes),
            funnel=release.funnel[:MAX_STAGES],
            description=release.details.description or DESCRIPTION,
            citation=bibtex(release),
            licence=release.details.owned(LICENCE),
            takedown=TAKEDOWN,
            limits=LIMITS,
            example=loaded[0] if loaded else _NOTHING,
        )
    ]


def _front_matter(tables: dict[str, int], details: SetDetails) -> dict[str, Any]:
    largest = max(tables.values(), default=0)
    size = next((name for limit, name in _SIZES if largest < limit), "n>1M")
    return {
        "pretty_name": details.heading,
        "language": ["en"],
        "multilinguality": ["multilingual"],
        **licence_fields(details),
        "size_categories": [size],
        "task_categories": ["text-generation"],
        "tags": ["tool-use", "function-calling", "planning", "agents", "croissant"],
    }


def licence_fields(details: SetDetails) -> dict[str, str]:
    """Return the licence fields of the card's front matter.

    The Hub accepts only certain licence names, so all other licences become "other".
    """
    if details.hub_licence is not None:
        return {"license": details.hub_licence}
    name = "see-the-licence-section" if details.licence else "see-the-source-of-each-row"
    return {"license": "other", "license_name": name}


def sources_by_kind(sources: Iterable[SourceFile]) -> list[tuple[str, int, int]]:
    """Group sources by file name ending: return (ending, number of files, bytes), largest first.

    Endings beyond `MAX_KINDS` are summed as "others".
    """
    totals: dict[str, tuple[int, int]] = {}
    for source in sources:
        kind = _ending(source.source_uri) or "no ending"
        files, size = totals.get(kind, (0, 0))
        totals[kind] = files + 1, size + source.size
    ranked = sorted(totals.items(), key=lambda entry: (-entry[1][1], entry[0]))
    visible_kinds = [(kind, *counts) for kind, counts in ranked[:MAX_KINDS]]
    rest = [counts for _, counts in ranked[MAX_KINDS:]]
    if rest:
        visible_kinds.append(("others", sum(f for f, _ in rest), sum(size for _, size in rest)))
    return visible_kinds


def _ending(uri: str) -> str:
    # Equals `PurePath.suffix`, which would be slow for each row.
    name = uri.rstrip("/").rpartition("/")[2]
    stem, dot, ending = name.rpartition(".")
    return f".{ending}".lower() if dot and stem and ending else ""


def _count_rows(
    loaded: Iterable[Configuration], tables: dict[str, int]
) -> Iterator[tuple[str, list[int], str]]:
    for configuration in loaded:
        rows = {data.split: data.rows for data in configuration.data_files}
        table = load_table(configuration.table)
        text = table.description
        if table.splits is not None and configuration.name == table.splits.subset:
            subset = table.column(configuration.name)
            description = subset.description if subset else ""
            text = f"The rows of {configuration.table} with {configuration.name}. {description}"
        yield configuration.name, [rows.get(split, 0) for split in _COLUMNS], text
    for name in sorted(name for name, rows in tables.items() if not rows):
        yield name, [0] * len(_COLUMNS), load_table(name).description


def _short(notes: Iterable[Note]) -> list[Note]:
    return [note for note in notes if len(note.rows) <= MAX_NOTE_ROWS][:MAX_NOTES]
