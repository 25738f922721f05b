"""Write the card of an export, which lists its origin, its rows, and omitted and lost data."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from benchloom.exchange.formats.base import CARD, SPLITS
from benchloom.storage.seals import file_digest
from parsers.dialogues.sources import DIALOGUE_SOURCES

_LOADED = (".jsonl", ".parquet")


class Exported(msgspec.Struct, frozen=True, kw_only=True):
    """The report of an export.

    `files` contains the digest of each file, `splits` the number of examples of each split,
    `left_out` the number of omitted rows for each reason, and `losses` the number of losses of each
    kind. `unwritten` counts the examples that the format cannot store at all, for each kind of
    loss; `findings` counts the faults of each kind that rows have.
    """

    release: str
    content_digest: str
    format: str
    table: str
    split: str | None
    examples: int
    splits: dict[str, int]
    files: dict[str, str] = {}
    left_out: dict[str, int] = {}
    unwritten: dict[str, int] = {}
    losses: dict[str, int] = {}
    findings: dict[str, int] = {}


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """The facts in the card of an export that are not in `Exported`.

    `left_out`, `losses` and `findings` describe the reasons and kinds that the export counts.
    """

    title: str
    sources: Iterable[str]
    distractors: str
    left_out: Mapping[str, str] = {}
    losses: Mapping[str, str] = {}
    findings: Mapping[str, str] = {}


def write_card(folder: Path, exported: Exported, origin: Origin) -> Exported:
    """Write the card of the files in a folder; return the report with the digest of every file."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    names = [path.name for path in paths if path.parent == folder]
    card = folder / CARD
    card.write_text("\n".join([*_front(names), *_card(exported, origin)]), "utf-8")
    files = {
        path.relative_to(folder).as_posix(): file_digest(path) for path in sorted([*paths, card])
    }
    return msgspec.structs.replace(exported, files=files)


def _card(exported: Exported, origin: Origin) -> Iterator[str]:
    release = exported.release
    name = f"benchloom release {release}" if release else "'benchloom world build'"
    yield f"# {exported.table} as {exported.format}"
    yield from ("", f"{origin.title}. Exported from {name},", f"`{exported.content_digest}`.")
    yield from (f"Distractor tools: {origin.distractors}.", "")
    yield from _table("split | rows", [(name or "none", n) for name, n in exported.splits.items()])
    if exported.left_out:
        yield from ("## Left out", "")
        rows = [(origin.left_out.get(why, why), n) for why, n in exported.left_out.items()]
        yield from _table("reason | texts or rows", rows)
    if exported.losses:
        yield from ("## Lost in the format", "", "`losses.jsonl` lists the losses of each row.", "")
        yield from _kinds(exported.losses, origin.losses)
    if exported.findings:
        yield from ("## Faults of the rows", "")
        yield from _kinds(exported.findings, origin.findings)
    yield from ("## Licence", "", *map(_licence, sorted(origin.sources)), "")


def _kinds(counts: Mapping[str, int], meanings: Mapping[str, str]) -> Iterator[str]:
    rows = [(kind, n, meanings.get(kind, "")) for kind, n in counts.items()]
    return _table("kind | count | meaning", rows)


def _table(head: str, rows: Iterable[tuple[object, ...]]) -> Iterator[str]:
    yield f"| {head} |"
    yield "|" + "---|" * (head.count("|") + 1)
    yield from (f"| {' | '.join(map(str, row))} |" for row in rows)
    yield ""


def _front(names: Iterable[str]) -> list[str]:
    """Return the head of the card, from which the library `datasets` knows each split's files."""
    split_files = [
        (stem if stem in SPLITS else "train", name)
        for name in names
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
