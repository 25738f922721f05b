"""`benchloom explore` over a release of 100,000 shortcuts: pages, filters, memory.

    python -m benchmarks.exploring COUNT DIR

writes a release of COUNT shortcuts with as many listings and texts. All of it is invented; its
tables are written as they are, without the checks of a release that was built.
"""

import hashlib
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from benchloom.release.manifest import (
    FORMAT,
    BuildFacts,
    CreatedFrom,
    Manifest,
    ReleaseFile,
    content_digest,
    file_digest,
    write_manifest,
)
from benchloom.storage.tables import load_table
from benchloom.storage.tables.files import FileSet
from benchloom.storage.tables.writing import TableWriter
from benchmarks import worlds
from parsers.shortcuts import parse_shortcut

SHORTCUTS = 100_000
DISTINCT = 2_000
"""Shortcuts that are written and parsed; the others have their actions under other names."""
_BATCH = 10_000
_SPLITS = ("test", "train", "validation")
_CATEGORIES = ("Weather", "Music", "Home", "Travel", "Health", "Photos", "Games", "Work")
_FILTERED = (
    "/tables/shortcuts?column=level&relation=is&value=3",
    "/tables/shortcuts?column=split&relation=is&value=test&sort=name",
    "/tables/shortcuts?q=bade",
    "/tables/shortcuts?uses=is.workflow.actions.conditional",
    "/tables/listings?q=bade&column=category&relation=is&value=Music",
    "/tables/queries?column=kept&relation=is&value=false",
)
_OTHERS = (
    "/search?q=bade",
    "/api?name=is.workflow.actions.gettext",
    "/app?name=is.workflow.actions",
)
_ROUNDS = 3
Row = dict[str, Any]


def ratios() -> list[tuple[str, float, str]]:
    """Seconds and milliseconds of answers, and MiB of the server after all of them."""
    with TemporaryDirectory(prefix="benchloom-") as temporary:
        folder = write_release(SHORTCUTS, Path(temporary) / "releases" / "0.1.0")
        return measured(folder)


def measured(folder: Path) -> list[tuple[str, float, str]]:
    """The figures over a release."""
    command = [sys.executable, "-m", "flows.cli", "explore", str(folder), "--no-token", "--json"]
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        try:
            startup = msgspec.json.decode(server.stdout.readline() if server.stdout else b"{}")
            ready = time.perf_counter() - started
            with httpx.Client(base_url=startup["address"], timeout=60) as client:
                first = _seconds(client, "/")
                rows = _seconds(client, "/tables/shortcuts")
                some = [_seconds(client, path) for path in _OTHERS]  # the last waits for uses
                filtered = {
                    path: median(_seconds(client, path) for _ in range(_ROUNDS))
                    for path in _FILTERED
                }
            status = Path(f"/proc/{server.pid}/status").read_text(encoding="ascii")
        finally:
            server.terminate()
    peak = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
    slowest = max(filtered, key=lambda one: filtered[one])
    return [
        ("from the command to the first answer, s", ready, "none"),
        ("the first page, s", first, "<= 1"),
        ("the first page of shortcuts, s", rows, "<= 1"),
        ("a filtered page, median, ms", 1000 * median(filtered.values()), "<= 300"),
        (f"the slowest filtered page, {slowest}, ms", 1000 * filtered[slowest], "<= 300"),
        ("search, an API and an app, the slowest, s", max(some), "none"),
        ("memory at most, MiB", peak / 1024, "<= 500"),
    ]


def _seconds(client: httpx.Client, place: str) -> float:
    before = time.perf_counter()
    client.get(place).raise_for_status()
    return time.perf_counter() - before


def write_release(count: int, folder: Path, seed: int = 1) -> Path:
    """Write a release of so many shortcuts, listings and texts, two verdicts for each text."""
    chance = Random(f"{seed}/release")  # noqa: S311  made data, no secret
    idents = sorted(_digest("shortcut", number) for number in range(count))
    words = [
        worlds._sentence(Random(f"{seed}/{number}"), 4)  # noqa: S311, SLF001  made names
        for number in range(min(count, DISTINCT * 5))
    ]
    _write_shortcuts(folder, idents, words, seed)
    listings = (_listing(number, words, chance) for number in range(count))
    _write(folder, "listings", listings)
    _write(folder, "queries", (_query(shortcut_id, words, chance) for shortcut_id in idents))
    _write(
        folder,
        "verdicts",
        (verdict for shortcut_id in idents for verdict in _verdicts(shortcut_id)),
    )
    _write(folder, "api_definitions", (_definition(name) for name in sorted(_apis(folder))))
    _write_manifest(folder)
    return folder


def _digest(kind: str, number: object) -> str:
    return f"{kind}:sha256:{hashlib.sha256(f'{kind}/{number}'.encode()).hexdigest()}"


def _write_shortcuts(folder: Path, idents: Sequence[str], words: Sequence[str], seed: int) -> None:
    """One file per split, sorted by id, with actions of a few shortcuts again and again."""
    parsed = []
    for name, content in worlds.shortcuts(min(len(idents), DISTINCT) * 5 // 4 + 20, seed):
        if content.startswith(b"bplist"):
            parsed.append(parse_shortcut(content, name))
    base = folder.parent / "drafts" / "shortcuts.parquet"
    base.parent.mkdir(parents=True, exist_ok=True)
    with TableWriter("shortcuts", base) as writer:
        for shortcut in parsed:
            writer.add(shortcut)
    drafts = pq.read_table(base)
    base.unlink()
    table = load_table("shortcuts")
    for split_index, split in enumerate(_SPLITS):
        numbers = [number for number in range(len(idents)) if _place(number) == split_index]
        if not numbers:
            continue
        path = folder / "shortcuts" / FileSet(split).file_name(0, 1)
        path.parent.mkdir(parents=True, exist_ok=True)
        with TableWriter(table, path) as writer:
            for start in range(0, len(numbers), table.row_group_rows):
                some = numbers[start : start + table.row_group_rows]
                rows = drafts.take([number % drafts.num_rows for number in some])
                writer.add_table(_renamed(rows, some, idents, words, split))


def _place(number: int) -> int:
    """A tenth of the rows in each of test and validation."""
    return {0: 0, 5: 2}.get(number % 10, 1)


def _renamed(
    rows: pa.Table, numbers: Sequence[int], idents: Sequence[str], words: Sequence[str], split: str
) -> pa.Table:
    values: dict[str, list[object]] = {
        "shortcut_id": [idents[number] for number in numbers],
        "source_digest": [_digest("bytes", number) for number in numbers],
        "source_uri": [f"archive.zip!{number:08d}.shortcut" for number in numbers],
        "name": [words[number % len(words)] for number in numbers],
        "description": [
            f"{words[number * 7 % len(words)]}. Number {number}." for number in numbers
        ],
        "icloud_ids": [[f"{number:032x}"] for number in numbers],
        "split": [split for _ in numbers],
        "evaluation": [number % 3 == 0 for number in numbers],
    }
    for name, column_values in values.items():
        column_index = rows.schema.get_field_index(name)
        rows = rows.set_column(
            column_index, name, pa.array(column_values, rows.schema.field(name).type)
        )
    return rows


def _apis(folder: Path) -> set[str]:
    identifiers: set[str] = set()
    for path in (folder / "shortcuts").glob("*.parquet"):
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(columns=["actions.list.element.identifier"]):
                lists = batch.column(0).flatten()
                identifiers.update(lists.field("identifier").unique().to_pylist())
    return identifiers


def _listing(number: int, words: Sequence[str], chance: Random) -> Row:
    category = _CATEGORIES[chance.randrange(len(_CATEGORIES))]
    return {
        "listing_id": _digest("listing", number),
        "site": ("one", "two", "three")[number % 3],
        "listing_url": f"https://example.org/shortcuts/{number}",
        "page_kind": "detail",
        "state": "listed",
        "icloud_id": f"{number:032x}",
        "name": words[number % len(words)],
        "description": words[number * 3 % len(words)],
        "category": category,
        "categories": [category],
        "downloads": chance.randrange(10_000),
        "author_credit": words[number % 997],
        "source_uri": "pages.zip!list.html",
        "position": number,
    }


def _query(ident: str, words: Sequence[str], chance: Random) -> Row:
    return {
        "query_id": _digest("query", ident),
        "target_id": ident,
        "kind": "query",
        "text": " ".join(words[chance.randrange(len(words))] for _ in range(3)),
        "kept": chance.random() < 0.5,
        "split": _SPLITS[chance.randrange(3)],
        "generator": "template",
    }


def _verdicts(ident: str) -> Iterator[Row]:
    for check in ("literals", "spoken"):
        yield {
            "target_id": _digest("query", ident),
            "check": check,
            "kept": True,
            "reason": "ok",
            "evidence": "nothing is missing",
        }


def _definition(api: str) -> Row:
    return {
        "definition_id": _digest("definition", api),
        "api": api,
        "app": "is.workflow.actions",
        "source_kind": "benchloom",
        "title": api.rsplit(".", 1)[-1].capitalize(),
    }


def _write(folder: Path, table: str, rows: Iterable[Row]) -> None:
    """Write a table from rows that name only the columns that matter."""
    definition = load_table(table)
    path = folder / table / FileSet("unsplit").file_name(0, 1)
    path.parent.mkdir(parents=True, exist_ok=True)
    empty = {"string": "", "double": 0.0, "bool": False}
    blank: Row = {
        column.name: []
        if column.is_list
        else None
        if column.nullable
        else empty.get(column.type, 0)
        for column in definition.columns
    }
    with TableWriter(definition, path) as writer:
        pending: list[Row] = []
        for row in rows:
            pending.append(blank | row)
            if len(pending) == _BATCH:
                writer.add_table(pa.Table.from_pylist(pending, definition.arrow_schema()))
                pending = []
        writer.add_table(pa.Table.from_pylist(pending, definition.arrow_schema()))


def _write_manifest(folder: Path) -> None:
    files = tuple(
        ReleaseFile(
            path=path.relative_to(folder).as_posix(),
            bytes=path.stat().st_size,
            sha256=file_digest(path),
            table=path.parent.name,
            rows=pq.read_metadata(path).num_rows,
        )
        for path in sorted(folder.glob("*/*.parquet"))
    )
    manifest = Manifest(
        format=FORMAT,
        version="0.1.0",
        content_digest=content_digest(files),
        created_from=CreatedFrom(sources=(), stages=()),
        files=files,
        funnel=(),
        made=BuildFacts(
            at="2031-01-01T00:00:00+00:00",
            benchloom="0",
            commit=None,
            python="",
            pyarrow="",
            system="",
        ),
    )
    write_manifest(folder, manifest)


def main() -> None:
    """Write a release."""
    folder = write_release(int(sys.argv[1]), Path(sys.argv[2]))
    size = sum(path.stat().st_size for path in folder.rglob("*.parquet"))
    print(msgspec.json.encode({"folder": str(folder), "bytes": size}).decode())


if __name__ == "__main__":
    main()
