"""Section: generated texts by kind and model, with their cost."""

from collections import Counter

from benchloom.release.describing.counting import ABSENT, count_pairs, count_values
from benchloom.release.describing.figures import Figure, Section, crossed, ranked
from benchloom.release.describing.tables import ReleaseTables

TABLES = ("queries",)
ORDER = 60


def section(tables: ReleaseTables) -> Section:
    """The figures of the generated texts of a release."""
    costs, tokens_in, tokens_out = _costs(tables)
    rows = tables.rows()["queries"]
    usd = round(sum(costs.values()), 4)
    kinds = count_pairs(tables, "queries", "kind", "generator")
    return Section(
        "queries",
        "Queries",
        "Texts that a model or a template wrote about shortcuts, plans and definitions.",
        (
            Figure("queries.rows", "texts", rows),
            Figure(
                "queries.kept", "kept by all checks", count_values(tables, "queries", "kept")["yes"]
            ),
            Figure(
                "queries.judged",
                "judged for faithfulness",
                count_values(tables, "queries", "judged")["yes"],
            ),
            Figure("queries.tokens_in", "prompt tokens", tokens_in),
            Figure("queries.tokens_out", "reply tokens", tokens_out),
            Figure("queries.usd", "cost", usd, "USD"),
        ),
        (
            ranked("queries.cost", "Cost by kind of text", "USD", costs),
            ranked("queries.model", "Models", "texts", _models(tables)),
            ranked("queries.category", "Categories of shortcuts", "targets", _categories(tables)),
            ranked("queries.split", "Splits", "texts", count_values(tables, "queries", "split")),
        ),
        (
            crossed(
                "queries.kind",
                "Kinds of texts",
                "texts",
                kinds,
                row="kind",
                column="written by",
            ),
        ),
    )


def _models(tables: ReleaseTables) -> Counter[str]:
    """Texts by model; those of no model by who wrote them instead."""
    models: Counter[str] = Counter()
    for (model, generator), count in count_pairs(tables, "queries", "model", "generator").items():
        models[generator if model == ABSENT else model] += count
    return models


def _costs(tables: ReleaseTables) -> tuple[dict[str, float], int, int]:
    """US dollars by kind, prompt tokens and reply tokens."""
    costs: dict[str, float] = {}
    tokens_in = tokens_out = 0
    columns = ["kind", "usd", "tokens_in", "tokens_out"]
    for batch in tables.batches("queries", columns, rows=4096):
        for row in batch.to_pylist():
            costs[row["kind"]] = costs.get(row["kind"], 0.0) + (row["usd"] or 0.0)
            tokens_in += row["tokens_in"] or 0
            tokens_out += row["tokens_out"] or 0
    return {kind: round(usd, 4) for kind, usd in costs.items() if usd}, tokens_in, tokens_out


def _categories(tables: ReleaseTables) -> Counter[str]:
    """Targets by the category that was given to them; other texts give none."""
    found = count_values(tables, "queries", "category")
    found.pop(ABSENT, None)
    return found
