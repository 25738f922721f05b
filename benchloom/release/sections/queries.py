"""The section of a release's report about generated texts: kinds, models, cost and variety.

Variety is measured over a sample of at most MAX_TEXTS texts, because both measures depend on the
number of texts. distinct-n is the share of different n-grams (Li et al. 2016). Self-BLEU is the
mean BLEU of each text against all other texts (Zhu et al. 2018), with n-grams up to four words
(Papineni et al. 2002), smoothed by adding one from two words on (Lin and Och 2004).
"""

import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from hashlib import sha256
from heapq import nsmallest

from benchloom.core.plain_words import ABSENT, words_and_marks
from benchloom.release.descriptions.counting import TableSection, name_of, without_missing
from benchloom.release.descriptions.figures import Section
from benchloom.release.descriptions.tables import ReleaseTables, TableFile

TABLES = ("queries",)
ORDER = 60
_SIZES = (1, 2, 3)
_DIGEST_BYTES = 16
_Samples = dict[str, list[tuple[bytes, int]]]
_WORDED = frozenset({"query", "instruction", "nested", "dialogue"})
"""Kinds of texts whose wording is free, so that measuring their variety makes sense."""


def section(tables: ReleaseTables) -> Section:
    """Count generated texts, sum their costs, measure their variety, and return the section."""
    table = TableSection(tables, "queries")
    costs, tokens_in, tokens_out = _costs(table)
    table.figure("rows", "texts", table.rows)
    table.figure("kept", "kept", table.values("kept")["yes"])
    table.figure("judged", "judged for faithfulness", table.values("judged")["yes"])
    table.figure("tokens_in", "prompt tokens", tokens_in)
    table.figure("tokens_out", "reply tokens", tokens_out)
    table.figure("usd", "cost", round(sum(costs.values()), 4), "USD")
    table.ranked("cost", "Cost by kind of text", "USD", costs)
    table.ranked("model", "Models", "texts", _models(table))
    categories = without_missing(table.values("category"))
    table.ranked("category", "Categories of shortcuts", "targets", categories)
    table.ranked("split", "Splits", "texts")
    table.ranked("style", "Styles", "texts", without_missing(table.values("style")))
    _add_variety(table, tables.table_files("queries"))
    kinds = table.pairs("kind", "generator")
    table.crossed("kind", "Kinds of texts", "texts", kinds, row="kind", column="written by")
    text = "Texts that a model or a template wrote about shortcuts, plans and definitions."
    return table.section("Queries", text)


def _add_variety(table: TableSection, files: Sequence[TableFile]) -> None:
    # A sample has the texts whose ids have the smallest digests, equal on every machine.
    samples: defaultdict[str, list[tuple[bytes, int, int]]] = defaultdict(list)
    for number, file in enumerate(files):
        for name, sample in file.cached_result(_Samples, _samples).items():
            candidates = ((digest, number, row_index) for digest, row_index in sample)
            samples[name] = nsmallest(MAX_TEXTS, [*samples[name], *candidates])
    if not samples:
        return
    texts = _texts(files, samples)
    limit = f"up to {MAX_TEXTS} kept texts each"
    for size in _SIZES:
        title = f"Different n-grams of {size} words over all, {limit}"
        shares = {name: round(distinct(entries, size), 4) for name, entries in texts.items()}
        table.ranked(f"distinct_{size}", title, "share", shares)
    title = f"Self-BLEU (likeness of each text to the others), {limit}"
    likeness = {name: self_bleu(entries) for name, entries in texts.items()}
    scores = {name: round(score, 4) for name, score in likeness.items() if score is not None}
    table.ranked("self_bleu", title, "BLEU", scores)


def _texts(
    files: Sequence[TableFile], samples: Mapping[str, list[tuple[bytes, int, int]]]
) -> dict[str, list[str]]:
    row_numbers: defaultdict[int, list[int]] = defaultdict(list)
    for sample in samples.values():
        for _, number, row_index in sample:
            row_numbers[number].append(row_index)
    texts: dict[tuple[int, int], str] = {}
    for number, row_indexes in row_numbers.items():
        sorted_indexes = tuple(sorted(row_indexes))
        file_texts = files[number].cached_result(list[str], _texts_at, sorted_indexes)
        texts |= {
            (number, row_index): text
            for row_index, text in zip(sorted_indexes, file_texts, strict=True)
        }
    return {
        name: [texts[number, row_index] for _, number, row_index in sample]
        for name, sample in samples.items()
    }


def _texts_at(file: TableFile, row_numbers: tuple[int, ...]) -> list[str]:
    return [row["text"] for row in file.rows_at(row_numbers, ["text"])]


def _samples(file: TableFile) -> _Samples:
    columns = ["query_id", "kind", "generator", "kept"]
    samples: _Samples = {}
    if not file.has(*columns):
        return samples
    for row_index, (query_id, kind, generator, is_kept) in enumerate(file.values(columns)):
        if is_kept and kind in _WORDED:
            name = f"{kind} by {name_of(generator)}"
            sample = samples.setdefault(name, [])
            sample.append((sha256(query_id.encode()).digest()[:_DIGEST_BYTES], row_index))
            if len(sample) >= 2 * MAX_TEXTS:
                samples[name] = nsmallest(MAX_TEXTS, sample)
    return {name: nsmallest(MAX_TEXTS, sample) for name, sample in samples.items()}


def _models(table: TableSection) -> Counter[str]:
    models: Counter[str] = Counter()
    for (model, generator), count in table.pairs("model", "generator").items():
        models[generator if model == ABSENT else model] += count
    return models


def _costs(table: TableSection) -> tuple[dict[str, float], int, int]:
    costs: defaultdict[str, float] = defaultdict(float)
    tokens_in = tokens_out = 0
    for file_costs, file_in, file_out in table.each(tuple[dict[str, float], int, int], _costs_in):
        for kind, usd in file_costs.items():
            costs[kind] += usd
        tokens_in += file_in
        tokens_out += file_out
    return {kind: round(usd, 4) for kind, usd in costs.items() if usd}, tokens_in, tokens_out


def _costs_in(file: TableFile) -> tuple[dict[str, float], int, int]:
    costs: defaultdict[str, float] = defaultdict(float)
    tokens_in = tokens_out = 0
    for kind, usd, *tokens in file.values(["kind", "usd", "tokens_in", "tokens_out"]):
        costs[kind] += usd or 0.0
        tokens_in += tokens[0] or 0
        tokens_out += tokens[1] or 0
    return costs, tokens_in, tokens_out


MAX_TEXTS = 200
LONGEST = 4
"""Number of words in the longest n-gram."""
MAX_WORDS = 400
"""Only this many words of a text are counted."""

Gram = tuple[str, ...]


def words_of(text: str) -> list[str]:
    """Split a text into lower-case words and punctuation marks. At most MAX_WORDS are returned."""
    return words_and_marks(text[: 20 * MAX_WORDS].casefold())[:MAX_WORDS]


def grams(words: Sequence[str], size: int) -> Counter[Gram]:
    """Count each sequence of `size` consecutive words (n-gram) in a text."""
    return Counter(tuple(words[at : at + size]) for at in range(len(words) - size + 1))


def distinct(texts: Sequence[str], size: int) -> float:
    """Return the number of different n-grams of `size` words, divided by the number of all.

    The result is from 0 to 1, and 0 if there are no n-grams.
    """
    gram_counts: Counter[Gram] = Counter()
    for text in texts:
        gram_counts.update(grams(words_of(text), size))
    return len(gram_counts) / gram_counts.total() if gram_counts else 0.0


def self_bleu(texts: Sequence[str]) -> float | None:
    """Return the mean BLEU of each text against all other texts, from 0 to 1.

    The result is None for fewer than two texts with words. One pass is enough: the highest count of
    an n-gram in the other texts is its highest count in all texts, or the second highest if this
    text has the highest.
    """
    words = [words_of(text) for text in texts]
    words = [entry for entry in words if entry]
    if len(words) < 2:
        return None
    counted = [[grams(entry, size) for size in range(1, LONGEST + 1)] for entry in words]
    tops: dict[Gram, tuple[int, int]] = {}
    for counts in counted:
        for count in counts:
            for gram, often in count.items():
                first, second = tops.get(gram, (0, 0))
                tops[gram] = (often, first) if often > first else (first, max(second, often))
    lengths = sorted(len(entry) for entry in words)
    scores = [
        _brevity(len(entry), lengths) * _precision(counts, tops)
        for entry, counts in zip(words, counted, strict=True)
    ]
    return sum(scores) / len(scores)


def _precision(counts: Sequence[Counter[Gram]], tops: dict[Gram, tuple[int, int]]) -> float:
    # The geometric mean of the clipped n-gram precisions.
    total = 0.0
    for size, count in enumerate(counts, start=1):
        matched = 0
        for gram, often in count.items():
            first, second = tops[gram]
            matched += min(often, second if often == first else first)
        added = 0 if size == 1 else 1
        if matched + added == 0:
            return 0.0
        total += math.log((matched + added) / (count.total() + added))
    return math.exp(total / len(counts))


def _brevity(length: int, lengths: Sequence[int]) -> float:
    # BLEU's brevity penalty against the other text with the closest length.
    at = bisect_left(lengths, length)
    others = [lengths[index] for index in (at - 1, at + 1) if 0 <= index < len(lengths)]
    closest = min(others, key=lambda other: (abs(other - length), other))
    return 1.0 if length >= closest else math.exp(1 - closest / length)
