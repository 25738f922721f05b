"""This module publishes artifacts in Prefect's interface: progress, stage figures, the release.

Artifacts with the same key are versions of one card on Prefect's page of artifacts. Links to files
show their paths, so that people can copy these, because a browser opens no local file from a
server's page. Prefect renders table cells as Markdown without wrapping, so the widest column is
last.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from uuid import UUID

from prefect.artifacts import (
    MarkdownArtifact,
    TableArtifact,
    acreate_markdown_artifact,
    acreate_progress_artifact,
    acreate_table_artifact,
    aupdate_progress_artifact,
)
from prefect.assets import Asset, AssetProperties
from prefect.context import AssetContext

from benchloom.core.set_details import UNNAMED
from benchloom.release import read_manifest
from benchloom.release.manifest import Manifest
from benchloom.storage.workspace import FunnelStep
from flows.engine.run_log import log_line, root_run
from flows.run.finished import FinishedStage
from scrapers.mirrors import is_url, without_secrets

MAX_REASONS = 3
"""Maximum number of reasons in an output line."""
_UPDATES = 20
"""Maximum number of updates of one progress artifact."""
_FRONT = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_NEARBY = re.compile(r"\]\((?![a-z]+:|#)")
"""Matches the beginning of a Markdown link to a file in the same folder."""
_DOCUMENTS = {
    "report.html": "report: figures and plots",
    "README.md": "card",
    "sample/index.html": "sample of every table",
    "croissant.json": "description for machines",
    "CITATION.cff": "citation",
    "manifest.json": "manifest: files, digests, funnel",
}


class ProgressArtifact:
    """A progress artifact for a stage; the artifact is updated at most 20 times.

    If only one shard has to be made, the artifact is created when this shard is finished.
    """

    def __init__(self, stage: str, done: int, total: int) -> None:
        self._artifact: UUID | None = None
        self._stage = stage
        self._done = done
        self._total = total
        self._published = done

    @classmethod
    async def start(cls, stage: str, done: int, total: int) -> "ProgressArtifact":
        """Return an artifact that shows that `done` of `total` shards are finished."""
        progress = cls(stage, done, total)
        if total - done != 1:
            await progress._show()
        return progress

    async def advance(self) -> None:
        """Count a finished shard, and update the artifact after each twentieth of all shards."""
        self._done += 1
        if self._done == self._total or (self._done - self._published) * _UPDATES >= self._total:
            self._published = self._done
            await self._show()

    async def _show(self) -> None:
        percent = _percent(self._done, self._total)
        if self._artifact is not None:
            await aupdate_progress_artifact(self._artifact, percent)
            return
        self._artifact = await acreate_progress_artifact(
            progress=percent,
            key=f"progress-{artifact_key(self._stage)}",
            description=f"{self._stage}: shards made",
        )


def _percent(done: int, total: int) -> float:
    return round(100 * done / total, 1) if total else 100.0


def artifact_key(name: str) -> str:
    """Convert a name to an artifact key, which has only lower-case letters, digits and dashes."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


async def show_markdown(name: str, markdown: str, description: str) -> None:
    """Publish a Markdown text in Prefect's interface."""
    await acreate_markdown_artifact(
        key=artifact_key(name), markdown=markdown, description=description
    )


async def show_table(name: str, rows: Sequence[Mapping[str, object]], description: str) -> None:
    """Publish rows as a table in Prefect's interface."""
    table = [dict(row) for row in rows]
    await acreate_table_artifact(key=artifact_key(name), table=table, description=description)


async def show_stage(stage: FinishedStage) -> None:
    """Publish the row counts of a finished stage as a table, and log a line with them."""
    step = stage.steps[-1]
    line = f"{stage.name}: {describe_step(step)}"
    rows: list[dict[str, object]] = [
        {"what": "objects read", "count": stage.objects},
        {"what": "kept", "count": step.kept},
    ]
    rows += [{"what": f"left out: {reason}", "count": n} for reason, n in _most(stage.reasons)]
    rows += [{"what": f"rows in table {table}", "count": n} for table, n in stage.rows.items()]
    await show_table(stage.name, rows, f"{line}. Folder: `{stage.path}`")
    log_line(f"{line}; written to {stage.path}")


def describe_step(step: FunnelStep, most: int | None = None) -> str:
    """Describe in words how many rows a stage read, kept and left out, and for which reasons.

    Name at most the `most` frequent reasons.
    """
    left = sum(step.reasons.values())
    why = f" ({describe_reasons(step.reasons, most)})" if left else ""
    return f"{step.received} read, {step.kept} kept, {left} left out{why}"


def describe_reasons(reasons: Mapping[str, int], most: int | None = None) -> str:
    """List the `most` frequent reasons with counts, then the total for all other reasons."""
    frequent_reasons = _most(reasons)
    phrases = [f"{count} {reason}" for reason, count in frequent_reasons[:most]]
    more = sum(count for _, count in frequent_reasons[most:]) if most is not None else 0
    return ", ".join([*phrases, *([f"{more} for other reasons"] if more else [])])


def _most(reasons: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(reasons.items(), key=lambda entry: (-entry[1], entry[0]))


async def show_release(folder: Path) -> None:
    """Publish a release, its row counts per stage and its card on the page of the top-level run."""
    manifest = read_manifest(folder)
    run = root_run()
    title = f"Release {manifest.version}"
    await MarkdownArtifact(
        key="release",
        markdown=release_text(manifest, folder),
        description=f"{title}, checked: every file was read again. Folder: `{folder}`",
        flow_run_id=run,
    ).acreate()
    await TableArtifact(
        key="funnel",
        table=funnel_rows(manifest),
        description=f"{title}: rows that each stage received, left out and kept",
        flow_run_id=run,
    ).acreate()
    card = (folder / "README.md").read_text(encoding="utf-8")
    await MarkdownArtifact(
        key="card",
        markdown=card_text(card, folder),
        description=f"{title}: the card, which users read first. File: `{folder / 'README.md'}`",
        flow_run_id=run,
    ).acreate()
    rows = sum(manifest.tables().values())
    log_line(f"release {manifest.version}: {rows} rows in {len(manifest.tables())} tables, checked")
    log_line(f"release {manifest.version}: in {folder}; report {folder / 'report.html'}")


def card_text(card: str, folder: Path) -> str:
    """Return the text of a dataset card with absolute links to the files in its folder."""
    return _NEARBY.sub(f"]({folder.absolute().as_uri()}/", _FRONT.sub("", card))


def funnel_rows(manifest: Manifest) -> list[dict[str, object]]:
    """Return a table row for each stage, with counts of received, left-out and kept rows."""
    return [
        {
            "stage": step.stage,
            "received": step.received,
            "left out": sum(step.reasons.values()),
            "kept": step.kept,
            "left out by reason": describe_reasons(step.reasons),
        }
        for step in manifest.funnel
    ]


def release_text(manifest: Manifest, folder: Path) -> str:
    """Return Markdown with the documents of a release, their paths, and rows per table."""
    folder = folder.absolute()  # the workspace of a deployment may be a relative path
    lines = [f"# Release {manifest.version}", "", "| document | where |", "|---|---|"]
    lines += [
        f"| [{text}]({(folder / name).as_uri()}) | `{folder / name}` |"
        for name, text in _DOCUMENTS.items()
        if (folder / name).is_file()
    ]
    lines += ["", "If your browser does not open a file from this page, copy its path."]
    lines += ["", "## Tables", "", "| table | rows |", "|---|---:|"]
    lines += [f"| {table} | {rows} |" for table, rows in manifest.tables().items()]
    lines += ["", f"Same rows, same digest: `{manifest.content_digest}`"]
    return "\n".join(lines) + "\n"


Facts = Mapping[str, str | int]

_NOT_IN_KEYS = re.compile(r"[^\w./:~+-]+", re.ASCII)
_LONGEST_KEY = 512


def show_release_assets(folder: Path) -> None:
    """Register a release and each of its tables as Prefect assets made by the current task run."""
    manifest = read_manifest(folder)
    facts: dict[str, str | int] = {"version": manifest.version}
    for table, rows in manifest.tables().items():
        size = sum(file.bytes for file in manifest.files if file.table == table)
        asset = _asset(f"{_set_key(manifest)}/{table}", table, manifest)
        _show_asset(asset, facts | {"rows": rows, "bytes": size})
    metadata = {"content_digest": manifest.content_digest, "folder": str(folder.absolute())}
    _show_asset(_release_asset(manifest), facts | metadata)


def show_published_asset(folder: Path, target: str) -> None:
    """Register the published copy of a release at `target` as an asset of the current task run."""
    manifest = read_manifest(folder)
    address = without_secrets(target) if is_url(target) else Path(target).absolute().as_uri()
    facts: Facts = {"version": manifest.version, "content_digest": manifest.content_digest}
    _show_asset(_asset(address, address, manifest), facts, [_release_asset(manifest)])


def _release_asset(manifest: Manifest) -> Asset:
    return _asset(_set_key(manifest), manifest.details.heading, manifest)


def _set_key(manifest: Manifest) -> str:
    return f"benchloom://{manifest.details.name or UNNAMED}"


def _asset(key: str, name: str, manifest: Manifest) -> Asset:
    properties = AssetProperties(name=name, url=manifest.details.homepage or None)
    return Asset(key=_NOT_IN_KEYS.sub("-", key)[:_LONGEST_KEY], properties=properties)


def _show_asset(asset: Asset, facts: Facts, made_from: Sequence[Asset] = ()) -> None:
    context = AssetContext.get()
    if context is None:
        raise RuntimeError("no task run is under way")
    context.downstream_assets.add(asset)
    context.direct_asset_dependencies.update(made_from)
    context.add_asset_metadata(asset.key, dict(facts))
