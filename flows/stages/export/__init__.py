"""Export a release to another format, in a separate folder with a card and a list of lost data."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import msgspec

from benchloom.core.errors import GateError, RunError
from benchloom.exchange.examples import Example
from benchloom.exchange.examples.distractors import Distraction, Distractors
from benchloom.exchange.examples.pairs import UNPAIRED, read_pairs
from benchloom.exchange.examples.releases import (
    UNREADABLE,
    Choice,
    Texts,
    iter_examples,
    read_definitions,
    read_texts,
    splits_of,
)
from benchloom.exchange.examples.shortcuts.calls import FINDINGS
from benchloom.exchange.formats import FORMATS, Loss, Writing, WritingOptions
from benchloom.exchange.formats.base import LOSSES, ExampleWriter
from benchloom.release import read_manifest
from benchloom.release.checking import file_problems
from benchloom.release.manifest import Manifest, content_digest
from benchloom.storage.workspace import temporary_folder
from benchloom.worlds.task_formats import TASK_FORMATS
from flows.stages.export.card import Exported, Origin, write_card
from flows.stages.export.distractors import distractors_of

TABLES = {"planning_paths": "plan:", "shortcuts": "shortcut:"}
"""The tables whose rows an export can write, with the prefix of the ids of their rows."""
READ = ("api_definitions", "dialogues")  # further tables that every export reads
FEW = "few_distractors"
_WHY = {
    "dropped_text": "texts did not pass the checks (add `--all` to include them)",
    "template_text": "template texts (add `--templates` to include them)",
    UNREADABLE: "a value or result is not valid JSON: the release is damaged",
    UNPAIRED: "texts that are not part of a pair (a kept and a rejected text of one row)",
    "without_pair": "rows without a pair of a kept and a rejected text",
    "without_text": "rows without a text (add `--all` to include them)",
}
_ENCODER = msgspec.json.Encoder()


class _Counts:
    """The counts of an export, which grow while rows are written."""

    def __init__(self, left_out: dict[str, int]) -> None:
        self.left_out = Counter(left_out)
        self.unwritten: Counter[str] = Counter()
        self.losses: Counter[str] = Counter()
        self.findings: Counter[str] = Counter()
        self.splits: Counter[str] = Counter()
        self.sources: set[str] = set()

    def exported(
        self, manifest: Manifest, format_name: str, table: str, split: str | None
    ) -> Exported:
        """Return the report of the export, with all counts so far."""
        return Exported(
            release=manifest.version,
            content_digest=manifest.content_digest,
            format=format_name,
            table=table,
            split=split,
            examples=self.splits.total(),
            splits=dict(sorted(self.splits.items())),
            left_out=dict(sorted(self.left_out.items())),
            unwritten=dict(sorted(self.unwritten.items())),
            losses=dict(sorted(self.losses.items())),
            findings=dict(sorted(self.findings.items())),
        )


def export_release(
    release: Path,
    format_name: str,
    out: Path,
    choice: Choice,
    *,
    table: str | None = None,
    distraction: Distraction | None = None,
) -> Exported:
    """Write the examples of a release into the folder `out`, which must be missing or empty.

    Raises:
        RunError: the format, table or split is unknown, the format cannot store the table, `out` is
            not empty, or the release was changed.
        GateError: there is nothing to export; the error lists the reasons.
    """
    chosen = FORMATS.find(format_name, also=TASK_FORMATS.names())
    if not isinstance(chosen, Writing):
        raise RunError(f"'{format_name}' can only be imported; see 'benchloom release export -h'")
    manifest = read_manifest(release)
    if chosen.pairs and choice.every:
        raise RunError(
            f"'{format_name}' writes pairs of a kept and a rejected text; leave out --all"
        )
    check_files(release, manifest, ("queries", "verdicts") if chosen.pairs else ("queries",))
    texts = read_pairs(release, choice) if chosen.pairs else read_texts(release, choice)
    table = table or _table(manifest, chosen, texts)
    if table not in chosen.tables:
        raise RunError(f"'{format_name}' cannot store {table}; it stores {_table_names(chosen)}")
    require_empty(out)
    observed = ("executions",) if chosen.observed else ()
    check_files(release, manifest, (table, *READ, *observed))
    split_names = splits_of(release, table)
    if choice.split is not None and choice.split not in split_names:
        raise RunError(
            f"{table} has no split '{choice.split}'; known: {', '.join(split_names) or 'none'}"
        )
    counts = _Counts(texts.left_out)
    extra = distraction or Distraction()
    with temporary_folder(out) as folder:
        definitions = read_definitions(release)
        rows = iter_examples(
            release,
            table,
            choice,
            texts,
            definitions,
            skipped=lambda why: counts.left_out.update(
                ["without_pair" if chosen.pairs and why == "without_text" else why]
            ),
            observed=chosen.observed,
        )
        distractors = distractors_of(definitions, extra)
        writer = chosen.writer(folder, WritingOptions("benchloom", manifest.version))
        _write(writer, folder / LOSSES, rows, distractors, added=extra.count, counts=counts)
        if not counts.splits:
            raise GateError(
                "nothing was exported: no row could be written", tuple(_reasons(counts, chosen))
            )
        exported = counts.exported(manifest, format_name, table, choice.split)
        return write_card(folder, exported, _origin(chosen, counts.sources, extra))


def _origin(chosen: Writing, sources: set[str], extra: Distraction) -> Origin:
    """Return the facts for an export's card that are no counts, such as the title and sources."""
    return Origin(
        title=chosen.title,
        sources=sources,
        distractors=f"{extra.count} {extra.hardness}, seed {extra.seed}" if extra.count else "none",
        left_out=_WHY,
        losses={FEW: "There are fewer distractor tools than requested.", **chosen.losses},
        findings=FINDINGS,
    )


def _write(
    writer: ExampleWriter,
    losses_file: Path,
    rows: Iterator[Example],
    distractors: Distractors,
    *,
    added: int,
    counts: _Counts,
) -> None:
    """Write every row; for a row that loses data, also write a line with the kinds of lost data."""
    with losses_file.open("xb") as lost, closing(writer):
        for row in rows:
            example = distractors.add_to(row)
            losses = list(writer.add(example))
            if len(example.definitions) < len(row.definitions) + added:
                losses.append(Loss(FEW))
            unwritable = next((loss.kind for loss in losses if loss.whole), None)
            if unwritable is None:
                counts.splits[example.split] += 1
                counts.sources.add(example.source)
                counts.findings.update(finding.kind for finding in row.findings)
            else:
                counts.unwritten[unwritable] += 1
            counts.losses.update(loss.kind for loss in losses)
            if losses:
                lost.write(_loss_line(example, losses, is_written=unwritable is None))


def _loss_line(example: Example, losses: list[Loss], *, is_written: bool) -> bytes:
    line = {
        "id": example.example_id,
        "target_id": example.target_id,
        "written": is_written,
        "losses": [{"kind": loss.kind, "place": loss.place} for loss in losses],
    }
    return _ENCODER.encode(line) + b"\n"


def require_empty(out: Path) -> None:
    """Raise RunError unless the output folder of an export is missing or empty."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise RunError(f"{out} is not empty; pass another folder")


def check_files(release: Path, manifest: Manifest, tables: Sequence[str]) -> None:
    """Raise if a file that the export reads differs from the release's manifest.

    Raises:
        GateError: a file differs, is missing or is not in the manifest; the error has one line per
            file.
    """
    problems = list(
        file_problems(release, [file for file in manifest.files if file.table in tables])
    )
    if content_digest(manifest.files) != manifest.content_digest:
        problems.insert(0, "manifest.json: the content digest does not match the listed files")
    listed = {file.path for file in manifest.files}
    for name in tables:
        for path in sorted((release / name).glob("*")):
            relative_path = path.relative_to(release).as_posix()
            if relative_path not in listed:
                problems.append(f"{relative_path}: not in the manifest")
    if problems:
        raise GateError(
            f"release {manifest.version} was changed after it was built; nothing was exported; "
            "copy the release again, or build it again",
            tuple(problems),
        )


def _reasons(counts: _Counts, chosen: Writing) -> Iterator[str]:
    for why, count in sorted(counts.left_out.items()):
        yield f"{count} left out: {_WHY.get(why, why)}"
    for kind, count in sorted(counts.unwritten.items()):
        yield f"{count} not written: {chosen.losses.get(kind, kind)}"


def _table(manifest: Manifest, chosen: Writing, texts: Texts) -> str:
    """Return the table to export: the first one that texts describe, else the first with rows."""
    rows = manifest.tables()
    table_names = [name for name in TABLES if rows.get(name) and name in chosen.tables]
    if not table_names:
        raise RunError(f"the release has no rows of {_table_names(chosen)}")
    about = {
        name
        for name in table_names
        if any(target.startswith(TABLES[name]) for target in texts.by_target)
    }
    return next((name for name in table_names if name in about), table_names[0])


def _table_names(chosen: Writing) -> str:
    return " and ".join(sorted(chosen.tables))
