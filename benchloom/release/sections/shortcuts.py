"""The section of a release's report about shortcuts: length, level, APIs, apps and data flow."""

from collections import Counter

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from benchloom.core.plain_words import ABSENT
from benchloom.release.descriptions.counting import (
    SHAPES,
    TableSection,
    add_counts,
    as_numbers,
    count_shapes,
    edge_table,
    name_of,
    summed,
)
from benchloom.release.descriptions.figures import Section
from benchloom.release.descriptions.tables import ReleaseTables, TableFile

TABLES = ("shortcuts",)
ORDER = 10
LEVELS = ("1", "2", "3", "4", "5", ABSENT)
_LENGTHS = (0, 1, 2, 4, 6, 11, 16, 21, 31, 51, 101, 201)


def section(tables: ReleaseTables) -> Section:
    """Count shortcuts by length, level, API, app and data flow, and return the section."""
    table = TableSection(tables, "shortcuts")
    apis, levels = table.values("actions.identifier"), table.values("level")
    per_shortcut = list(table.each(_PerShortcut, _per_shortcut))
    app_levels = summed(file_counts.app_levels for file_counts in per_shortcut)
    lengths = as_numbers(table.values("length"))
    apps: Counter[str] = Counter()
    for (app, _), count in app_levels.items():
        apps[app] += count
    table.figure("rows", "shortcuts", table.rows)
    table.figure("actions", "actions", apis.total())
    table.figure("apis", "different APIs", len(apis))
    table.figure("apps", "different apps", len(apps))
    table.figure("length.median", "median length", _median(lengths))
    table.figure("length.longest", "longest", max(lengths, default=0))
    table.figure("named", "with a name", table.filled("name"))
    plain = table.sizes("oddities")[0]
    table.figure("with_oddities", "with tolerated oddities", table.rows - plain)
    table.ordered("level", "Difficulty level", "shortcuts", levels, LEVELS)
    table.spans("length", "Length", "shortcuts", _LENGTHS, lengths)
    table.ranked("api", "Most called APIs", "calls", apis, 25)
    table.ranked("app", "Apps", "shortcuts that use it", apps, 15)
    depths = summed(file_counts.depths for file_counts in per_shortcut)
    table.spans("depth", "Deepest nesting of control blocks", "shortcuts", range(7), depths)
    shapes = summed(table.each(dict[str, int], _shapes))
    table.ordered("shape", "Data flow", "shortcuts", shapes, SHAPES)
    table.ranked("argument", "Kinds of arguments", "arguments", "actions.arguments.kind")
    table.ranked("input", "Needs for input", "shortcuts", "needs_input.kinds")
    table.ranked("oddity", "Tolerated oddities", "shortcuts", "oddities")
    table.ranked("split", "Splits", "shortcuts")
    table.ranked("redaction", "Redactions by kind", "shortcuts", "redactions.kind")
    table.crossed(
        "app_level",
        "Levels by app",
        "shortcuts",
        app_levels,
        row="app",
        column="level",
        columns=[level for level in LEVELS if level in levels],
        most=12,
    )
    return table.section(
        "Shortcuts",
        "A shortcut is a small program that a person made and shared. Length and level follow the "
        "definitions of ShortcutsBench.",
    )


def _median(lengths: Counter[int]) -> int:
    # The lower of two middle values; 0 if there are no shortcuts.
    passed, total = 0, lengths.total()
    for length in sorted(lengths):
        passed += lengths[length]
        if 2 * passed >= total:
            return length
    return 0


class _PerShortcut(msgspec.Struct, frozen=True):
    app_levels: dict[tuple[str, str], int]
    depths: dict[int, int]


def _per_shortcut(file: TableFile) -> _PerShortcut:
    app_levels: Counter[tuple[str, str]] = Counter()
    depths: Counter[int] = Counter()
    for batch in file.batches(["level", "actions.app", "actions.depth"]):
        actions = batch.column("actions")
        flat = pc.list_flatten(actions)
        row = pc.list_parent_indices(actions)
        table = pa.table(
            {
                "row": row,
                "level": pc.take(batch.column("level"), row),
                "app": pc.struct_field(flat, "app"),
                "depth": pc.struct_field(flat, "depth"),
            }
        )
        pairs = table.group_by(["row", "app", "level"]).aggregate([]).select(["app", "level"])
        pair_counts = pairs.group_by(["app", "level"]).aggregate([([], "count_all")]).to_pylist()
        for pair in pair_counts:
            level = ABSENT if pair["level"] is None else str(pair["level"])
            app_levels[name_of(pair["app"]), level] += pair["count_all"]
        deepest = table.group_by(["row"]).aggregate([("depth", "max")]).column("depth_max")
        by_depth: Counter[str] = Counter()
        add_counts(by_depth, deepest)
        depths.update(as_numbers(by_depth))
        depths[0] += batch.num_rows - deepest.length()
    return _PerShortcut(app_levels, depths)


def _shapes(file: TableFile) -> dict[str, int]:
    shapes: Counter[str] = Counter()
    columns = ["actions.index", "actions.arguments.references.action_index"]
    for batch in file.batches(columns):
        actions = batch.column("actions")
        arguments = pc.struct_field(pc.list_flatten(actions), "arguments")
        references = pc.struct_field(pc.list_flatten(arguments), "references")
        action = pc.take(pc.list_parent_indices(arguments), pc.list_parent_indices(references))
        edges = edge_table(
            pc.take(pc.list_parent_indices(actions), action),
            pc.struct_field(pc.list_flatten(references), "action_index"),
            pc.take(pc.struct_field(pc.list_flatten(actions), "index"), action),
        )
        shapes.update(count_shapes(edges, batch.num_rows))
    return shapes
