"""A release in the shape of another format, in a folder of its own."""

import shutil
from collections import Counter
from pathlib import Path

import msgspec

from benchloom.errors import RunError
from benchloom.examples.releases import Choice, iter_examples, read_texts
from benchloom.formats import FORMATS, Writing, WritingOptions
from benchloom.release import read_manifest
from benchloom.sealing import file_digest

TABLES = ("planning_paths", "shortcuts")


class Exported(msgspec.Struct, frozen=True, kw_only=True):
    """What an export holds: examples, what was left out and lost by kind, and its files."""

    release: str
    content_digest: str
    format: str
    table: str
    split: str | None
    examples: int
    left_out: dict[str, int]
    losses: dict[str, int]
    files: dict[str, str]


def export_release(
    release: Path, format_name: str, out: Path, choice: Choice, table: str | None = None
) -> Exported:
    """Write the examples of a release into `out`, which must not be there or be empty.

    Raises:
        RunError: an unknown format or table, one that does not go with the other, a folder that
            is in the way.
    """
    chosen = FORMATS.find(format_name)
    if not isinstance(chosen, Writing):
        raise RunError(f"'{format_name}' can be imported, not written")
    table = table or _table(release, chosen)
    if table not in chosen.tables:
        raise RunError(f"'{format_name}' cannot hold {table}; it holds {_told(chosen)}")
    manifest = read_manifest(release)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise RunError(f"{out} is there and not empty; name another folder")
    temporary = out.with_name(f".tmp-{out.name}")
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir(parents=True)
    texts = read_texts(release, choice)
    counts = Counter(texts.left_out)
    losses: Counter[str] = Counter()
    written = 0
    writer = chosen.writer(temporary, WritingOptions("benchloom", manifest.version))
    try:
        rows = iter_examples(
            release,
            table,
            choice,
            texts,
            lambda why: counts.update([why]),
        )
        for example in rows:
            found = writer.add(example)
            losses.update(loss.kind for loss in found)
            written += not any(loss.whole for loss in found)
    finally:
        writer.close()
    files = {
        str(path.relative_to(temporary)): file_digest(path)
        for path in sorted(temporary.rglob("*"))
        if path.is_file()
    }
    if out.exists():
        out.rmdir()
    temporary.replace(out)
    return Exported(
        release=manifest.version,
        content_digest=manifest.content_digest,
        format=format_name,
        table=table,
        split=choice.split,
        examples=written,
        left_out=dict(sorted(counts.items())),
        losses=dict(sorted(losses.items())),
        files=files,
    )


def _table(release: Path, chosen: Writing) -> str:
    rows = read_manifest(release).tables()
    found = [name for name in TABLES if rows.get(name) and name in chosen.tables]
    if not found:
        raise RunError(f"the release holds nothing of {_told(chosen)}")
    return found[0]


def _told(chosen: Writing) -> str:
    return " and ".join(sorted(chosen.tables))
