"""Section: generated texts by kind and model, with their cost."""

from collections import Counter
from hashlib import sha256
from heapq import nsmallest

from benchloom.release.describing.counting import ABSENT, count_pairs, count_values, name_of
from benchloom.release.describing.figures import Chart, Figure, Section, crossed, ranked
from benchloom.release.describing.tables import ReleaseTables
from benchloom.release.describing.variety import MOST_TEXTS, distinct, self_bleu

TABLES = ("queries",)
ORDER = 60
_WORDED = frozenset({"query", "instruction", "nested", "dialogue"})
"""Kinds whose texts are worded freely."""


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
            Figure("queries.kept", "kept", count_values(tables, "queries", "kept")["yes"]),
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
            ranked("queries.style", "Styles", "texts", _styles(tables)),
            *_variety(tables),
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


def _styles(tables: ReleaseTables) -> Counter[str]:
    """Texts by the style they were to be worded in; other texts have none."""
    found = count_values(tables, "queries", "style")
    found.pop(ABSENT, None)
    return found


def _variety(tables: ReleaseTables) -> tuple[Chart, ...]:
    """Distinct n-grams and self-BLEU by kind and writer, over samples of kept texts.

    A sample holds the texts with the smallest digests of their ids, so that every machine takes
    the same ones.
    """
    columns = ["query_id", "kind", "generator", "kept", "text"]
    samples: dict[str, list[tuple[str, str]]] = {}
    if not tables.has("queries", *columns):
        return ()
    for batch in tables.batches("queries", columns, rows=4096):
        for row in batch.to_pylist():
            if row["kept"] and row["kind"] in _WORDED:
                name = f"{row['kind']} by {name_of(row['generator'])}"
                sample = samples.setdefault(name, [])
                sample.append((sha256(row["query_id"].encode()).hexdigest(), row["text"]))
                if len(sample) >= 2 * MOST_TEXTS:
                    samples[name] = nsmallest(MOST_TEXTS, sample)
    texts = {
        name: [text for _, text in nsmallest(MOST_TEXTS, sample)]
        for name, sample in samples.items()
    }
    charts = [
        ranked(
            f"queries.distinct_{size}",
            f"Different n-grams of {size} words over all, up to {MOST_TEXTS} kept texts each",
            "share",
            {name: round(distinct(entries, size), 4) for name, entries in texts.items()},
        )
        for size in (1, 2, 3)
    ]
    likeness = {name: self_bleu(entries) for name, entries in texts.items()}
    told = {name: round(score, 4) for name, score in likeness.items() if score is not None}
    title = f"Self-BLEU (likeness of each text to the others), up to {MOST_TEXTS} kept texts each"
    return (*charts, ranked("queries.self_bleu", title, "BLEU", told))


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
