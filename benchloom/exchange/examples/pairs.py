"""Read pairs of an accepted and a rejected request for the same plan or shortcut."""

from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path

import msgspec

from benchloom.exchange.examples.example import RejectedText, Text
from benchloom.exchange.examples.releases import Choice, Texts, read_texts
from benchloom.storage.tables import table_parts
from benchloom.storage.tables.reader import read_rows

UNPAIRED = "unpaired_text"  # why a text is left out: it has no counterpart


def read_pairs(release: Path, choice: Choice) -> Texts:
    """Read pairs of an accepted and a rejected request for the same plan or shortcut.

    The first accepted request of a plan is paired with its first rejected request, the second with
    the second, and so on. Requests without a counterpart, and rejected requests with the same words
    as an accepted request, are left out.
    """
    choice_texts = read_texts(release, choice)
    every = read_texts(release, msgspec.structs.replace(choice, every=True))
    pairs: dict[str, list[tuple[Text, Text]]] = {}
    left_out = Counter({"template_text": every.left_out.get("template_text", 0)})
    for target, texts in every.by_target.items():
        good = choice_texts.by_target.get(target, [])
        used = {text.query_id for text in good}
        words = {text.text for text in good}
        bad = [text for text in texts if text.query_id not in used and text.text not in words]
        if good and bad:
            pairs[target] = list(zip(good, bad, strict=False))
        left_out[UNPAIRED] += len(texts) - 2 * min(len(good), len(bad))
    rejected_ids = {bad.query_id for group in pairs.values() for _, bad in group}
    reasons: dict[str, set[str]] = {}
    for query_id, reason in _reasons(release, rejected_ids):
        reasons.setdefault(query_id, set()).add(reason)
    by_target = {
        target: [
            msgspec.structs.replace(
                good,
                rejected=RejectedText(
                    bad.query_id, bad.text, tuple(sorted(reasons.get(bad.query_id, ())))
                ),
            )
            for good, bad in group
        ]
        for target, group in pairs.items()
    }
    return Texts(by_target, {why: count for why, count in left_out.items() if count})


def _reasons(release: Path, query_ids: Collection[str]) -> Iterator[tuple[str, str]]:
    for part in table_parts(release, "verdicts"):
        columns = read_rows(part, ["target_id", "kept", "reason"]).to_pydict()
        for query_id, is_kept, reason in zip(*columns.values(), strict=True):
            if not is_kept and query_id in query_ids:
                yield query_id, reason
