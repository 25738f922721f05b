"""Shapes of data flow (which step uses outputs of which), over many graphs together."""

from collections import Counter

import pyarrow as pa
import pyarrow.compute as pc

SHAPES = ("no data flow", "chains", "fan-out", "fan-in", "fan-out and fan-in")
"""By the busiest node: each output taken once by steps with one input (chains), one output taken
by several (fan-out), one step taking several outputs (fan-in), or both."""


def count_shapes(edges: pa.Table, graphs: int) -> Counter[str]:
    """Count the shapes of `graphs` graphs; `edges` has the columns graph, source and target."""
    distinct = edges.group_by(["graph", "source", "target"]).aggregate([])
    fan_out = _most(distinct, "source")
    fan_in = _most(distinct, "target")
    shapes: Counter[str] = Counter()
    for graph, most_out in fan_out.items():
        many_in = fan_in[graph] > 1
        if most_out > 1:
            shapes["fan-out and fan-in" if many_in else "fan-out"] += 1
        else:
            shapes["fan-in" if many_in else "chains"] += 1
    shapes["no data flow"] = graphs - len(fan_out)
    return shapes


def _most(edges: pa.Table, end: str) -> dict[int, int]:
    per_node = edges.group_by(["graph", end]).aggregate([([], "count_all")])
    per_graph = per_node.group_by(["graph"]).aggregate([("count_all", "max")])
    numbers = per_graph.column("count_all_max").to_pylist()
    return dict(zip(per_graph.column("graph").to_pylist(), numbers, strict=True))


def edge_table(graph: pa.Array, source: pa.Array, target: pa.Array) -> pa.Table:
    """Build a table of edges, leaving out those without a source."""
    table = pa.table({"graph": graph, "source": source, "target": target})
    return table.filter(pc.is_valid(table.column("source")))
