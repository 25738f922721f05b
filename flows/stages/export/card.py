"""The card of an export: its origin, rows by split, and what was omitted and lost."""

from pathlib import Path

import msgspec

from benchloom.exchange.formats.base import CARD, SPLITS
from benchloom.storage.sealing import file_digest
from parsers.dialogues.sources import DIALOGUE_SOURCES

_LOADED = (".jsonl", ".parquet")


class CardFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a card; `losses` and `findings` map each kind to its count and description.

    `files` are the files in the top folder of the export.
    """

    name: str
    title: str
    release: str
    content_digest: str
    table: str
    splits: dict[str, int]
    sources: tuple[str, ...]
    distractors: str
    left_out: dict[str, int] = {}
    losses: dict[str, tuple[int, str]] = {}
    findings: dict[str, tuple[int, str]] = {}
    files: tuple[str, ...] = ()


def write_card(folder: Path, facts: CardFacts) -> dict[str, str]:
    """Write the card of the files in a folder; return the digest of every file by its path."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    names = tuple(path.name for path in paths if path.parent == folder)
    card = folder / CARD
    card.write_text(card_text(msgspec.structs.replace(facts, files=names)), "utf-8")
    return {
        path.relative_to(folder).as_posix(): file_digest(path) for path in sorted([*paths, card])
    }


def card_text(facts: CardFacts) -> str:
    """Render the card as Markdown, after a header with each split's files for `datasets`."""
    origin = f"benchloom release {facts.release}" if facts.release else "'benchloom world build'"
    lines = [
        *_front(facts),
        f"# {facts.table} as {facts.name}",
        "",
        f"{facts.title}. Exported from {origin},",
        f"`{facts.content_digest}`.",
        f"Distractor tools: {facts.distractors}.",
        "",
        *_table(("split", "rows"), [(name or "none", n) for name, n in facts.splits.items()]),
    ]
    if facts.left_out:
        lines += ["## Left out", ""]
        lines += _table(("why", "texts or rows"), list(facts.left_out.items()))
    if facts.losses:
        lines += ["## Not held", "", "Row by row in `losses.jsonl`.", ""]
        lines += ["| what | places | meaning |", "|---|---|---|"]
        lines += [f"| {kind} | {n} | {meaning} |" for kind, (n, meaning) in facts.losses.items()]
        lines.append("")
    if facts.findings:
        lines += ["## Wrong in the rows themselves", ""]
        lines += ["| what | places | meaning |", "|---|---|---|"]
        lines += [f"| {kind} | {n} | {meaning} |" for kind, (n, meaning) in facts.findings.items()]
        lines.append("")
    lines += ["## Licence", "", *(_licence(source) for source in facts.sources), ""]
    return "\n".join(lines)


def _front(facts: CardFacts) -> list[str]:
    """Return the header of the card, from which `datasets` reads the files of each split."""
    split_files = [
        (stem if stem in SPLITS else "train", name)
        for name in facts.files
        for stem in [name.partition(".")[0]]
        if name.endswith(_LOADED) and stem in {*SPLITS, "data"}
    ]
    if not split_files or len({split for split, _ in split_files}) < len(split_files):
        return []
    lines = ["---", "configs:", "  - config_name: default", "    data_files:"]
    for split, name in split_files:
        lines += [f"      - split: {split}", f"        path: {name}"]
    return [*lines, "---", ""]


def _licence(source: str) -> str:
    if source in DIALOGUE_SOURCES.names():
        dialogue_source = DIALOGUE_SOURCES.find(source)
        rights = f"{dialogue_source.licence}, {dialogue_source.address}"
        return f"- {source}: {dialogue_source.title}, {rights}"
    return f"- {source}: the licence of the source of each row, as in the card of the release"


def _table(head: tuple[str, str], rows: list[tuple[str, int]]) -> list[str]:
    lines = [f"| {head[0]} | {head[1]} |", "|---|---|"]
    return [*lines, *(f"| {name} | {count} |" for name, count in rows), ""]
