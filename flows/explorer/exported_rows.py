"""The first rows of a release as `release export` would write them.

Only the first texts are read, by questions to the database, however large the release is. The
writer of the format writes them into a temporary folder.
"""

import shlex
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pyarrow.parquet as pq

from benchloom.core.records import Dialogue, PlanningPath, Shortcut
from benchloom.exchange.examples import Example
from benchloom.exchange.examples.dialogues import with_recorded
from benchloom.exchange.examples.example import Text
from benchloom.exchange.examples.plans import answer_of, example_of
from benchloom.exchange.examples.releases import FROM_FILE, REQUESTS
from benchloom.exchange.examples.shortcuts.calls import example_of_shortcut
from benchloom.exchange.formats import FORMATS, Writing, WritingOptions
from flows.explorer.errors import BadRequestError
from flows.explorer.open_release import OpenRelease
from flows.explorer.related_rows import definitions_of, records_where, rows_where

ROWS = 3
_LONGEST = 6000
"""Characters of a row that are shown."""
_TRIED = 20
"""Targets whose texts are offered to the format, which cannot hold every example."""
TABLES = {"planning_paths": "path_id", "shortcuts": "shortcut_id"}


class ExportChoice(msgspec.Struct, frozen=True, kw_only=True):
    """Selection of rows to export; an empty split stands for all splits."""

    format: str
    table: str
    split: str = ""
    templates: bool = False

    def command(self, release: Path) -> str:
        """Return the command that writes all of it."""
        words = ["benchloom", "release", "export", str(release), "--format", self.format]
        words += ["--table", self.table]
        words += ["--split", self.split] if self.split else []
        words += ["--templates"] if self.templates else []
        words += ["--out", "-".join(filter(None, (self.format, self.split)))]
        return shlex.join(words)


class WrittenFile(msgspec.Struct, frozen=True):
    """One written file: its name and its first rows; `is_cut` says whether a row was cut."""

    name: str
    rows: tuple[str, ...]
    is_cut: bool


class WrittenRows(msgspec.Struct, frozen=True):
    """The first exported rows.

    `texts` counts the texts of the choice, `templates` those that are left out because a template
    wrote them. `losses` explain what the format cannot hold of the shown rows.
    """

    files: tuple[WrittenFile, ...]
    texts: int
    templates: int
    losses: tuple[str, ...]


def writing_formats() -> dict[str, str]:
    """Return the titles of the formats that write a row per text, by name."""
    writers = FORMATS.only(Writing)
    return {name: member.title for name, member in writers.items() if not member.pairs}


def first_rows(release: OpenRelease, choice: ExportChoice) -> WrittenRows:
    """Return the first rows of an export.

    Raises:
        BadRequestError: the format is unknown, or cannot hold the table.
    """
    member = FORMATS.only(Writing).get(choice.format)
    if member is None or member.pairs:
        raise BadRequestError(f"'{choice.format}' is not one of {', '.join(writing_formats())}")
    if choice.table not in TABLES or choice.table not in member.tables:
        raise BadRequestError(
            f"'{choice.format}' holds rows of {' and '.join(sorted(member.tables))}"
        )
    losses: dict[str, None] = {}
    with TemporaryDirectory(prefix="benchloom-explore-") as folder:
        options = WritingOptions("benchloom", release.manifest.version)
        writer = member.writer(Path(folder), options)
        written = 0
        try:
            for example in _examples(release, choice):
                row_losses = writer.add(example)
                losses |= dict.fromkeys(
                    member.losses.get(loss.kind, loss.kind) for loss in row_losses
                )
                written += not any(loss.whole for loss in row_losses)
                if written == ROWS:
                    break
        finally:
            writer.close()
        # Some writers begin with a file that describes the rows, also where there are none.
        paths = sorted(Path(folder).rglob("*.*")) if written else []
        files = tuple(_read(path, Path(folder)) for path in paths)
    texts, templates = _count(release, choice)
    return WrittenRows(files, texts, templates, tuple(losses))


def _read(path: Path, folder: Path) -> WrittenFile:
    if path.suffix == ".parquet":
        rows = [msgspec.json.encode(row).decode() for row in pq.read_table(path).to_pylist()]
    elif path.suffix == ".jsonl":
        rows = path.read_text("utf-8").splitlines()
    else:
        rows = [path.read_text("utf-8")]
    cut = tuple(row if len(row) <= _LONGEST else row[:_LONGEST] + "…" for row in rows[:ROWS])
    is_cut = any(len(row) > _LONGEST for row in rows[:ROWS])
    return WrittenFile(path.relative_to(folder).as_posix(), cut, is_cut)


def _condition(choice: ExportChoice) -> str:
    """Return the condition of the texts of a choice; its words are ours."""
    kinds = ", ".join(f"'{kind}'" for kind in REQUESTS)
    templates = "" if choice.templates else " AND generator <> 'template'"
    return f"kept AND kind IN ({kinds}){templates}"


def _targets(choice: ExportChoice) -> tuple[str, list[object]]:
    """Return the FROM clause of the rows that texts of a choice are about, and its values."""
    split = " AND split = ?" if choice.split else ""
    column = TABLES[choice.table]
    texts = f"SELECT target_id FROM queries WHERE {_condition(choice)}"  # noqa: S608  names are ours, values are bound
    values: list[object] = [choice.split] if choice.split else []
    return f"FROM {choice.table} WHERE {column} IN ({texts}){split}", values


def _count(release: OpenRelease, choice: ExportChoice) -> tuple[int, int]:
    """Count the texts of a choice, and the texts of templates that it leaves out."""
    every = msgspec.structs.replace(choice, templates=True)
    targets, values = _targets(every)
    rows = release.ask(
        f"SELECT count(*) AS n, count(*) FILTER (generator = 'template') AS templates "  # noqa: S608  as above
        f"FROM queries WHERE {_condition(every)} "
        f"AND target_id IN (SELECT {TABLES[choice.table]} {targets})",
        values,
    )
    count, templates = rows[0]["n"], rows[0]["templates"]
    return (count, 0) if choice.templates else (count - templates, templates)


def _examples(release: OpenRelease, choice: ExportChoice) -> Iterator[Example]:
    """Yield examples of the first rows that have texts, in the order of the table."""
    column = TABLES[choice.table]
    targets, values = _targets(choice)
    rows = release.ask(f"SELECT {column} AS id {targets} LIMIT ?", [*values, _TRIED])
    targets_in_order = list(dict.fromkeys(row["id"] for row in rows))
    texts: dict[str, list[Text]] = {}
    if targets_in_order:
        marks = ", ".join("?" * len(targets_in_order))
        for row in release.ask(
            f"SELECT * FROM queries WHERE {_condition(choice)} AND target_id IN ({marks})",  # noqa: S608  as above
            targets_in_order,
        ):
            answer = (
                answer_of(row["structured"]) if row["generator"] == FROM_FILE else msgspec.UNSET
            )
            texts.setdefault(row["target_id"], []).append(
                Text(row["query_id"], row["text"], answer)
            )
    for target in targets_in_order:
        yield from _examples_of(release, choice, target, texts.get(target, []))


def _examples_of(
    release: OpenRelease, choice: ExportChoice, target: str, texts: list[Text]
) -> Iterator[Example]:
    if choice.table == "shortcuts":
        for shortcut in records_where(release, Shortcut, "shortcuts", "shortcut_id", [target]):
            if choice.split in {"", shortcut.split} and shortcut.actions:
                used = [action.definition_id for action in shortcut.actions]
                definitions = definitions_of(release, used)
                for text in texts:
                    yield example_of_shortcut(shortcut, definitions, text=text)
        return
    for plan in records_where(release, PlanningPath, "planning_paths", "path_id", [target]):
        definitions = definitions_of(
            release, [*(step.definition_id for step in plan.steps), *plan.tools]
        )
        rows = rows_where(release, "dialogues", "path_id", [target])
        dialogues = [row for row in msgspec.convert(rows, list[Dialogue]) if row.results]
        for text in texts:
            yield with_recorded(example_of(plan, definitions, text=text), dialogues)
