"""The stage `normalise` of plans writes one row per distinct plan, for all dialogues with it.

It reads finished conversions, one for each source. `planning_paths` contains one row for all equal
plans, which names all their dialogues; `dialogues` contains the users' words and `service_results`
the results of services, both redacted; `api_definitions` and `rejected` are copied, so that the
folder alone is enough for a release.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from benchloom.core.errors import BalanceError, RunError
from benchloom.core.records import ApiDefinition, PlanningPath, PlanSource, Rejected
from benchloom.normalise.plans.assembly import PlanSources
from benchloom.normalise.plans.statistics import facts_of, markdown_table, statistics
from benchloom.normalise.redaction.tables import redact_rows, redactor_of, row_groups
from benchloom.storage.tables import (
    iter_records,
    load_table,
    read_rows,
    records_in,
    table_parts,
)
from benchloom.storage.tables.merged_rows import TableParts, merge_rows
from benchloom.storage.workspace import (
    STATISTICS_TABLE,
    scratch_folder,
    write_file,
)
from flows.run.finished import FinishedStage
from flows.run.output import Output
from flows.run.reads import all_rows_of
from flows.run.stage import Stage
from flows.stages.dialogues.notes import sources_table

DIALOGUES, RESULTS = "dialogues", "service_results"


def merged_rows(
    table: str,
    parts: Iterable[Path],
    silent: Collection[str],
    split_of: Callable[[str], str | None],
    plans: Sequence[Path] = (),
) -> Iterator[pa.Table]:
    """Yield the rows of a table from several conversions, redacted, one row group at a time.

    Every row gets the split of its plan; a row without a plan keeps its split. A conversion that is
    older than the table contributes no rows.

    Args:
        table: `dialogues` or `service_results`.
        parts: the files of the table.
        silent: ids of dialogues whose words must not be published.
        split_of: returns the split of a plan, or None if the plan is unknown.
        plans: the files of `planning_paths`. Addresses in these plans are not redacted.
    """
    texts, hide = _PUBLISHED[table]
    definition = load_table(table)
    # Ids and paths are join keys.
    apart = tuple(path for path in definition.text_columns() if path not in texts)
    rules = msgspec.structs.replace(definition.redaction, paths=(), apart=apart)
    searched = msgspec.structs.replace(definition, redaction=rules)
    redactor = redactor_of({"planning_paths": list(plans)})
    for rows in row_groups(parts):
        is_silent = [name in silent for name in rows.column("dialogue_id").to_pylist()]
        visible = hide(rows, is_silent) if any(is_silent) else rows
        columns = (visible.column(name).to_pylist() for name in ("path_id", "split"))
        splits = [split_of(path_id) or split for path_id, split in zip(*columns, strict=True)]
        yield redact_rows(_with_column(visible, "split", splits), searched, redactor)


def _with_column(rows: pa.Table, name: str, values: list[Any]) -> pa.Table:
    index = rows.schema.get_field_index(name)
    field = rows.schema.field(index)
    return rows.set_column(index, field, pa.array(values, field.type))


def _clear_words(rows: pa.Table, is_silent: list[bool]) -> pa.Table:
    for name, nothing in (("utterances", []), ("results", []), ("is_whole", False)):
        values = zip(rows.column(name).to_pylist(), is_silent, strict=True)
        rows = _with_column(rows, name, [nothing if silent else value for value, silent in values])
    return rows


def _remove_results(rows: pa.Table, is_silent: list[bool]) -> pa.Table:
    return rows.filter(pc.invert(pa.array(is_silent)))


_PUBLISHED = {
    DIALOGUES: (
        ("utterances.text", "results.output", "results.input", "results.exception"),
        _clear_words,
    ),
    RESULTS: (("arguments", "rows.values", "wordings.words"), _remove_results),
}
"""For each table, the columns of texts and the function that hides the words of opted-out
dialogues."""


STAGE = "normalise-plans"
R = TypeVar("R", PlanningPath, Rejected)


class _PlanDialogues(msgspec.Struct, frozen=True):
    path_id: str
    dialogues: tuple[PlanSource, ...]


def prepare(
    converted: Sequence[FinishedStage], opt_out: Sequence[str] = ()
) -> Stage[Sequence[str], tuple[Path, ...]]:
    """Build the stage that merges the equal plans of several conversions.

    `opt_out` may contain ids of dialogues whose words must not be published; other entries are
    ignored.

    Raises:
        RunError: a conversion is in another format than Parquet.
    """
    for conversion in converted:
        _refuse_lines(conversion.path)
    silent = sorted({entry.strip() for entry in opt_out if entry.strip().startswith("dialogue:")})
    return Stage(
        name=STAGE,
        subject="normalised/planning_paths",
        reads=all_rows_of(converted, "planning_paths"),
        options=silent,
        tables=("planning_paths", "rejected"),
        shared=partial(tuple, silent),
        make=merge_plans,
        balance=(),
    )


def _refuse_lines(folder: Path) -> None:
    exported = sorted(path.name for path in folder.glob("planning_paths.*"))
    if exported and not table_parts(folder, "planning_paths"):
        raise RunError(
            f"{folder} contains plans in another format than Parquet ({', '.join(exported)}); "
            "convert the dialogues again with --format parquet"
        )


def merge_plans(silent: Sequence[str], converted: Sequence[Path], output: Output) -> None:
    """Write the merged tables of all conversions in one shard.

    There is only one shard because each plan is compared with all others. The keys of all plans are
    held in memory. No dialogue is left out: the row of a plan names all its dialogues. `silent` are
    the ids of dialogues whose words must not be published.
    """
    sources = PlanSources()
    output.objects = 0
    for plan in _plans(converted):
        sources.add(plan.path_id, plan.dialogues)
        output.objects += 1
    facts = []
    listed_dialogues = 0
    for path in _records(converted, "planning_paths", PlanningPath):
        merged = sources.of(path.path_id)
        # Of equal plans only one is written: the one from the first of all their dialogues.
        if merged[0] == path.dialogues[0]:
            output.add("planning_paths", msgspec.structs.replace(path, dialogues=merged))
            listed_dialogues += len(merged)
            facts.append(facts_of(path))
    if listed_dialogues != output.objects:
        counted = f"{output.objects} dialogues were read, but plans list {listed_dialogues}"
        raise BalanceError(STAGE, counted)
    tables = markdown_table(statistics(facts)), sources_table(converted)
    write_file(output.folder / STATISTICS_TABLE, "\n".join(tables).encode())
    for rejected in _records(converted, "rejected", Rejected):
        output.add("rejected", rejected)
    with scratch_folder(output.folder, "merged") as scratch:
        for part in _parts(converted, "api_definitions", scratch):
            for definition in records_in(part, "api_definitions", ApiDefinition):
                output.add("api_definitions", definition)
        plans = [part for folder in converted for part in table_parts(folder, "planning_paths")]
        for table, cited in ((DIALOGUES, plans), (RESULTS, [])):
            parts = _parts(converted, table, scratch)
            for rows in merged_rows(table, parts, silent, sources.split_of, cited):
                output.add_rows(table, rows)


def _parts(converted: Sequence[Path], table: str, scratch: Path) -> list[Path]:
    """Return the files of a table from all conversions, after merging rows with the same key.

    Raises:
        RunError: two conversions contain different rows with the same key.
    """
    sources = [TableParts(table, folder, table_parts(folder, table)) for folder in converted]
    merged = merge_rows(table, sources, scratch / table) if len(sources) > 1 else None
    if merged is None:
        return [part for source in sources for part in source.parts]
    return [*chain.from_iterable(merged.parts), merged.further]


def _records(converted: Sequence[Path], table: str, kind: type[R]) -> Iterator[R]:
    for folder in converted:
        yield from iter_records(folder, table, kind)


def _plans(converted: Sequence[Path]) -> Iterator[_PlanDialogues]:
    columns = list(_PlanDialogues.__struct_fields__)
    for part in chain.from_iterable(table_parts(folder, "planning_paths") for folder in converted):
        for row in read_rows(part, columns).to_pylist():
            yield msgspec.convert(row, _PlanDialogues)
