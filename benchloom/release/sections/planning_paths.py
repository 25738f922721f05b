"""The section of a release's report about planning paths, which are plans of API calls."""

from collections import Counter

import pyarrow.compute as pc

from benchloom.release.descriptions.counting import (
    SHAPES,
    TableSection,
    as_numbers,
    batches_with,
    count_shapes,
    edge_table,
    summed,
)
from benchloom.release.descriptions.figures import Section
from benchloom.release.descriptions.tables import ReleaseTables, TableFile

TABLES = ("planning_paths",)
ORDER = 50


def section(tables: ReleaseTables) -> Section:
    """Count plans by category, length, app, API and data flow, and return the section."""
    table = TableSection(tables, "planning_paths")
    apps = table.values("steps.app")
    table.figure("rows", "planning paths", table.rows)
    table.figure("steps", "steps", apps.total())
    table.figure("apps", "apps", len(apps))
    table.ranked("category", "Categories of plans", "plans")
    lengths = (0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 16)
    table.spans("length", "Steps per plan", "plans", lengths, table.sizes("steps"))
    table.ranked("app", "Apps in plans", "steps", apps)
    table.ranked("api", "Most called APIs in plans", "steps", "steps.api")
    shapes = summed(table.each(dict[str, int], _shapes))
    table.ordered("shape", "Data flow of plans", "plans", shapes, SHAPES)
    scales = as_numbers(table.values("parallel_scale"))
    table.spans("parallel_scale", "Independent parts per plan", "plans", range(7), scales)
    provenance = "steps.arguments.provenance"
    table.ranked("provenance", "Where arguments come from", "arguments", provenance)
    table.splits("Splits by source", "plans")
    text = "A planning path is an ordered plan of calls over one or more apps with its data flow."
    return table.section("Planning paths", text)


def _shapes(file: TableFile) -> dict[str, int]:
    shapes: Counter[str] = Counter()
    for batch in batches_with(file, "edges.from_step", "edges.to_step"):
        edges = batch.column("edges")
        flat = pc.list_flatten(edges)
        table = edge_table(
            pc.list_parent_indices(edges),
            pc.struct_field(flat, "from_step"),
            pc.struct_field(flat, "to_step"),
        )
        shapes.update(count_shapes(table, batch.num_rows))
    return shapes
