"""Section: shortcuts by length, level, API and app, control flow and data flow."""

from collections import Counter

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from benchloom.release.describing.counting import (
    ABSENT,
    SHAPES,
    Spans,
    add_counts,
    as_numbers,
    count_filled,
    count_shapes,
    count_values,
    edge_table,
    list_sizes,
    middle,
    name_of,
    ranked_values,
    summed,
    without_missing,
)
from benchloom.release.describing.figures import Figure, Section, crossed, ordered, ranked
from benchloom.release.describing.tables import ReleaseTables, TableFile

TABLES = ("shortcuts",)
ORDER = 10

LEVELS = ("1", "2", "3", "4", "5", ABSENT)
_LENGTHS = Spans([0, 1, 2, 4, 6, 11, 16, 21, 31, 51, 101, 201])
_DEPTHS = Spans([0, 1, 2, 3, 4, 5, 6])


def section(tables: ReleaseTables) -> Section:
    """Return the statistics of shortcuts."""
    rows = tables.rows()["shortcuts"]
    apis = count_values(tables, "shortcuts", "actions.identifier")
    per_shortcut = list(tables.each("shortcuts", _PerShortcut, _per_shortcut))
    app_levels = summed(file_counts.app_levels for file_counts in per_shortcut)
    depths = summed(file_counts.depths for file_counts in per_shortcut)
    lengths = as_numbers(count_values(tables, "shortcuts", "length"))
    apps: Counter[str] = Counter()
    for (app, _), count in app_levels.items():
        apps[app] += count
    levels = count_values(tables, "shortcuts", "level")
    named = count_filled(tables, "shortcuts", "name")
    shapes = summed(tables.each("shortcuts", dict[str, int], _shapes))
    plain = list_sizes(tables, "shortcuts", "oddities")[0]
    text = (
        "A shortcut is a small program that a person made and shared. Length and level follow the "
        "definitions of ShortcutsBench."
    )
    return Section(
        "shortcuts",
        "Shortcuts",
        text,
        (
            Figure("shortcuts.rows", "shortcuts", rows),
            Figure("shortcuts.actions", "actions", sum(apis.values())),
            Figure("shortcuts.apis", "different APIs", len(apis)),
            Figure("shortcuts.apps", "different apps", len(apps)),
            Figure("shortcuts.length.median", "median length", middle(lengths)),
            Figure("shortcuts.length.longest", "longest", max(lengths, default=0)),
            Figure("shortcuts.named", "with a name", named),
            Figure("shortcuts.with_oddities", "with tolerated oddities", rows - plain),
        ),
        (
            ordered("shortcuts.level", "Difficulty level", "shortcuts", levels, LEVELS),
            _LENGTHS.chart("shortcuts.length", "Length", "shortcuts", lengths),
            ranked("shortcuts.api", "Most called APIs", "calls", apis, 25),
            ranked("shortcuts.app", "Apps", "shortcuts that use it", apps, 15),
            _DEPTHS.chart(
                "shortcuts.depth", "Deepest nesting of control blocks", "shortcuts", depths
            ),
            ordered("shortcuts.shape", "Data flow", "shortcuts", shapes, SHAPES),
            ranked_values(
                tables,
                "shortcuts.argument",
                "Kinds of arguments",
                "arguments",
                "actions.arguments.kind",
            ),
            ranked_values(
                tables, "shortcuts.input", "Needs for input", "shortcuts", "needs_input.kinds"
            ),
            ranked_values(
                tables, "shortcuts.oddity", "Tolerated oddities", "shortcuts", "oddities"
            ),
            ranked_values(tables, "shortcuts.split", "Splits", "shortcuts"),
            ranked_values(
                tables, "shortcuts.redaction", "Redactions by kind", "shortcuts", "redactions.kind"
            ),
        ),
        (
            crossed(
                "shortcuts.app_level",
                "Levels by app",
                "shortcuts",
                app_levels,
                row="app",
                column="level",
                columns=[level for level in LEVELS if level in levels],
                most=12,
            ),
        ),
    )


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
        depths.update({int(name): by_depth[name] for name in without_missing(by_depth)})
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
