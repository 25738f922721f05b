"""Section: planning paths by category, length, apps and shape."""

from collections import Counter

import pyarrow.compute as pc

from benchloom.release.describing.counting import (
    SHAPES,
    Spans,
    count_shapes,
    count_values,
    crossed_splits,
    edge_table,
    list_sizes,
    ranked_values,
    summed,
    without_missing,
)
from benchloom.release.describing.figures import Figure, Section, ordered, ranked
from benchloom.release.describing.tables import ReleaseTables, TableFile

TABLES = ("planning_paths",)
ORDER = 50

_STEPS = Spans([0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 16])
_SCALES = Spans([0, 1, 2, 3, 4, 5, 6])


def section(tables: ReleaseTables) -> Section:
    """Return the statistics of planning paths."""
    table = "planning_paths"
    apps = count_values(tables, table, "steps.app")
    sizes = list_sizes(tables, table, "steps")
    scales = count_values(tables, table, "parallel_scale")
    shapes = summed(tables.each(table, dict[str, int], _shapes))
    parallel = {int(name): scales[name] for name in without_missing(scales)}
    return Section(
        table,
        "Planning paths",
        "A planning path is an ordered plan of calls over one or more apps with its data flow.",
        (
            Figure(f"{table}.rows", "planning paths", tables.rows()[table]),
            Figure(f"{table}.steps", "steps", sum(apps.values())),
            Figure(f"{table}.apps", "apps", len(apps)),
        ),
        (
            ranked_values(tables, f"{table}.category", "Categories of plans", "plans"),
            _STEPS.chart(f"{table}.length", "Steps per plan", "plans", sizes),
            ranked(f"{table}.app", "Apps in plans", "steps", apps),
            ranked_values(
                tables, f"{table}.api", "Most called APIs in plans", "steps", "steps.api"
            ),
            ordered(f"{table}.shape", "Data flow of plans", "plans", shapes, SHAPES),
            _SCALES.chart(
                f"{table}.parallel_scale", "Independent parts per plan", "plans", parallel
            ),
            ranked_values(
                tables,
                f"{table}.provenance",
                "Where arguments come from",
                "arguments",
                "steps.arguments.provenance",
            ),
        ),
        (crossed_splits(tables, f"{table}.split", "Splits by source", "plans"),),
    )


def _shapes(file: TableFile) -> dict[str, int]:
    shapes: Counter[str] = Counter()
    columns = ["edges.from_step", "edges.to_step"]
    if file.has(*columns):
        for batch in file.batches(columns, rows=4096):
            edges = batch.column("edges")
            flat = pc.list_flatten(edges)
            table = edge_table(
                pc.list_parent_indices(edges),
                pc.struct_field(flat, "from_step"),
                pc.struct_field(flat, "to_step"),
            )
            shapes.update(count_shapes(table, batch.num_rows))
    return shapes
