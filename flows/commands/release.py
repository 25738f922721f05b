"""The commands `benchloom release ...`, which build, check, list, compare and publish releases."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
from typer import Argument, Option

from benchloom.core.errors import NothingReadError
from flows.commands._help import Commands
from flows.commands.options import (
    DEFAULT_WORKSPACE,
    Config,
    Json,
    ReleaseChoice,
    Workers,
    Workspace,
    finish,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchloom.release import Manifest
    from benchloom.release.schema_changes import SchemaChange

GROUP = Commands(
    """Build, check, list, compare, export and publish releases.

    Examples:
        benchloom release list
        benchloom release export --format trl --out rows
    """
)


class ReleaseSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary that `release build --json` prints."""

    command: str
    release: str
    version: str
    content_digest: str
    rows: dict[str, int]


class CheckSummary(ReleaseSummary, frozen=True, kw_only=True):
    """The summary that `release check --json` prints.

    `signature` is the state of the signature. `written_again` is true if the check also wrote
    derived tables and documents again and compared them. It does so only if the same version of
    benchloom wrote the release.
    """

    signature: str
    written_again: bool


class ListedRelease(ReleaseSummary, frozen=True, kw_only=True):
    """A release in the list of `release list`; `made_at` is a UTC time in ISO 8601."""

    made_at: str
    title: str


class ListSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary that `release list --json` prints."""

    command: str
    releases: tuple[ListedRelease, ...]


class PublishSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary that `release publish --json` prints.

    `sent` counts files that were sent, `kept` files that the target had already, and `removed`
    files that only the previous release at the target had.
    """

    command: str
    release: str
    to: str
    dry_run: bool
    sent: int
    kept: int
    removed: int
    bytes: int


@GROUP.command("build", codes={1: "a gate failed, or nothing was read"})
def build(
    stage: Annotated[
        list[Path],
        Option(
            "--in",
            metavar="DIR",
            help="Output folder of a stage, with tables for the release (repeatable).",
        ),
    ],
    version: Annotated[
        str | None,
        Option(help="Version; computed from the changes since the previous release if absent."),
    ] = None,
    sign_key: Annotated[
        Path | None, Option(metavar="FILE", help="minisign secret key to sign the release with.")
    ] = None,
    reviews: Annotated[
        Path | None,
        Option(
            metavar="PATH",
            help="Answers of `benchloom review`; reviews of the workspace if absent.",
        ),
    ] = None,
    no_reviews: Annotated[
        bool, Option("--no-reviews", help="Leave out the answers of reviewers.")
    ] = False,
    config: Config = None,
    workers: Workers = 1,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Build an immutable release from stages, and check it.

    Answers given in `benchloom review` decide which texts are kept. The table [release] of the
    configuration sets name, title, licence and authors.

    Examples:
        benchloom release build --in plans --version 0.2.0
        benchloom release build --in plans --in tasks --version 0.3.0
    """
    from flows.console.output import starting

    with starting("release build", is_quick=True):
        from benchloom.release import read_manifest
        from benchloom.release.review import REVIEWS, holds_answers
        from flows.configuration import find_file, read_configuration
        from flows.engine.expectations import nothing_read
        from flows.stages.release import release_stages

    details = read_configuration(find_file(config)).set_details()
    answers = reviews or workspace / REVIEWS
    if not no_reviews and (reviews is not None or holds_answers(answers)):
        from flows.stages.review import reviewed

        review = reviewed(answers, stage, workspace)
        stage = stage if review is None else [*stage, review.path]
    folder = release_stages(stage, workspace / "releases", version, workers, details)
    if sign_key is not None:
        _sign(folder, sign_key)
    _print("build", "is built", folder, read_manifest(folder), as_json=json)
    if why := nothing_read(folder):
        raise NothingReadError(why)


@GROUP.command("check", codes={1: "a gate failed, or a file was changed"})
def check(
    release: Annotated[
        Path | None, Argument(help="Folder of the release; the newest if absent.")
    ] = None,
    every: Annotated[
        bool, Option("--all", help="Check every release of the workspace, oldest first.")
    ] = False,
    key: Annotated[
        Path | None,
        Option(metavar="FILE", help="minisign public key that must have signed the release."),
    ] = None,
    workers: Workers = 1,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Check every file of a release, and list each fault.

    Data derived from the release's tables, such as documents, figures and the verdicts of rules,
    are written again and compared with the files of the release.

    Examples:
        benchloom release check
        benchloom release check workspace/releases/0.1.0 --json
    """
    from flows.console.output import starting

    with starting("release check", is_quick=True):
        from benchloom.release import check_release, list_releases
        from benchloom.release.manifest import is_reproducible
        from benchloom.release.signing import check_signature, signature_note
        from benchloom.release.versions import release_folder
        from flows.run.processes.workers import mapping
        from flows.stages.release import FURTHER_GATES
        from flows.stages.reproduction import REPRODUCTION_GATES

    chosen = [release_folder(None if every else release, workspace)]
    if every:
        folder = workspace / "releases"
        chosen = [folder / version for version in list_releases(folder)]
    lines: list[str] = []
    for release_dir in chosen:
        signature_comment = None if key is None else check_signature(release_dir, key)
        with mapping(workers) as run:
            manifest = check_release(release_dir, FURTHER_GATES, run, again=REPRODUCTION_GATES)
        again = is_reproducible(manifest)
        note = (
            signature_note(release_dir, manifest)
            if signature_comment is None
            else f"signed: {signature_comment}"
        )
        lines += [*_lines("is sound", release_dir, manifest), f"  {note}"]
        if not again:
            lines.append(f"  {_OTHER_CODE}")
    summary = CheckSummary(
        **msgspec.structs.asdict(_summary("release check", chosen[-1], manifest)),
        signature=note,
        written_again=again,
    )
    finish(summary, lines, as_json=json)


_OTHER_CODE = (
    "written by another version of benchloom: documents, definition checks, template texts and "
    "verdicts were not written again and compared"
)


@GROUP.command("sign")
def sign(
    key: Annotated[Path, Option(metavar="FILE", help="minisign secret key to sign with.")],
    release: ReleaseChoice = None,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Sign the manifest of a release.

    The password of the key is read from the variable BENCHLOOM_SIGN_PASSWORD.

    Examples:
        benchloom release sign --key minisign.key
        benchloom release sign 0.1.0 --key minisign.key
    """
    from benchloom.release import check_release
    from benchloom.release.versions import release_folder
    from flows.stages.release import FURTHER_GATES
    from flows.stages.reproduction import REPRODUCTION_GATES

    folder = release_folder(release, workspace)
    manifest = check_release(folder, FURTHER_GATES, again=REPRODUCTION_GATES)
    _sign(folder, key)
    _print("sign", "is signed", folder, manifest, as_json=json)


def _sign(folder: Path, key: Path) -> None:
    import os

    from benchloom.release.signing import sign_release

    sign_release(folder, key, os.environ.get("BENCHLOOM_SIGN_PASSWORD"))


@GROUP.command("list")
def list_command(json: Json = False, workspace: Workspace = DEFAULT_WORKSPACE) -> None:
    """List the releases of a workspace, newest last.

    Examples:
        benchloom release list
        benchloom release list --json
    """
    from benchloom.release import list_releases, read_manifest

    folder = workspace / "releases"
    manifests = [read_manifest(folder / version) for version in list_releases(folder)]
    listed_releases = tuple(
        ListedRelease(
            **msgspec.structs.asdict(_summary("release list", folder / manifest.version, manifest)),
            made_at=manifest.made.at,
            title=manifest.details.heading,
        )
        for manifest in manifests
    )
    summary = ListSummary(command="release list", releases=listed_releases)
    lines = _release_table(listed_releases) if listed_releases else [f"no releases in {folder}"]
    finish(summary, lines, as_json=json)


def _release_table(releases: "Sequence[ListedRelease]") -> list[str]:
    """Return the lines of a text table that lists releases.

    A table of the releases, such as `shortcuts`, has a column if any release has rows in it.
    """
    from benchloom.core.set_details import UNNAMED

    tables = [name for name in _LISTED if any(release.rows.get(name) for release in releases)]
    titled = any(release.title != UNNAMED for release in releases)
    heads = ["version", "date", *(_LISTED[name] for name in tables), "digest"]
    heads += ["title"] if titled else []
    rows = [
        [
            release.version,
            release.made_at[:10],
            *(f"{release.rows[name]:,}" if release.rows.get(name) else "" for name in tables),
            release.content_digest.rpartition(":")[2][:12],
            *([release.title] if titled else []),
        ]
        for release in releases
    ]
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    is_number = [head not in {"version", "date", "digest", "title"} for head in heads]
    return [
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, is_number, strict=True)
        ).rstrip()
        for row in [heads, *rows]
    ]


_LISTED = {
    "shortcuts": "shortcuts",
    "listings": "listings",
    "planning_paths": "plans",
    "queries": "texts",
    "tasks": "tasks",
    "api_definitions": "definitions",
}
"""The tables whose row counts `release list` shows, each with its column heading."""


def _summary(command: str, folder: Path, manifest: "Manifest") -> ReleaseSummary:
    return ReleaseSummary(
        command=command,
        release=str(folder),
        version=manifest.version,
        content_digest=manifest.content_digest,
        rows=manifest.tables(),
    )


def _print(word: str, done: str, folder: Path, manifest: "Manifest", *, as_json: bool) -> None:
    summary = _summary(f"release {word}", folder, manifest)
    finish(summary, _lines(done, folder, manifest), as_json=as_json)


def _lines(done: str, folder: Path, manifest: "Manifest") -> list[str]:
    rows = ", ".join(f"{count} {table}" for table, count in manifest.tables().items())
    return [
        f"release {manifest.version} {done}: {rows}",
        f"  in {folder}",
        f"  {manifest.content_digest}",
    ]


@GROUP.command("diff")
def diff(
    earlier: Annotated[
        Path | None,
        Argument(metavar="[A]", help="Folder or version; if absent, the release before that in B."),
    ] = None,
    later: Annotated[
        Path | None,
        Argument(metavar="[B]", help="Folder or version; if absent, the newest release."),
    ] = None,
    limit: Annotated[int, Option(help="Maximum number of changes printed per table.")] = 20,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Show what changed between two releases, and why.

    Examples:
        benchloom release diff
        benchloom release diff 0.1.0 0.2.0
    """
    from benchloom.release.diff import diff_releases
    from benchloom.release.versions import release_before, release_folder

    newer = release_folder(later, workspace)
    older = release_before(newer) if earlier is None else release_folder(earlier, workspace)
    difference = diff_releases(older, newer)
    lines = [f"{difference.earlier} -> {difference.later}"]
    if difference.details:
        lines.append(f"changed in [release]: {', '.join(difference.details)}")
    for table in difference.tables:
        lines.append(f"{table.table}{' (schema changed)' if table.schema_changed else ''}")
        lines += _column_lines(table.columns)
        lines += [f"  {count:6d} {what}" for what, count in table.counts.items()]
        lines += (
            [f"  {table.moved:6d} found at another location, otherwise equal"]
            if table.moved
            else []
        )
        for change in table.changes[:limit]:
            columns = f" ({', '.join(change.columns)})" if change.columns else ""
            label = f" {change.label[:60]!r}" if change.label else ""
            lines.append(f"    {change.change} {change.key}{label}: {change.reason}{columns}")
        if len(table.changes) > limit:
            lines.append(f"    ... {len(table.changes) - limit} more")
    if not difference.tables and not difference.details:
        lines.append("no difference")
    finish(difference, lines, as_json=json)


def _column_lines(change: "SchemaChange") -> list[str]:
    columns_by_change = {
        "removed columns": change.gone,
        "added columns": change.came,
        "renamed columns": change.renamed,
        "columns with a changed type": change.retyped,
    }
    return [
        f"  {kind}: {', '.join(columns)}" for kind, columns in columns_by_change.items() if columns
    ]


@GROUP.command(
    "publish", codes={1: "a gate failed, or the target has another release of this version"}
)
def publish(
    to: Annotated[
        str, Option(metavar="URL", help="Target: a folder, s3://..., or hf://datasets/OWNER/NAME.")
    ],
    release: ReleaseChoice = None,
    dry_run: Annotated[
        bool, Option("--dry-run", help="Only list the files that would be sent.")
    ] = False,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Publish a release to a folder, an object store or the Hub.

    Files that the target already has are not sent. The manifest is sent last.

    Examples:
        benchloom release publish --to published
        benchloom release publish --to hf://datasets/OWNER/NAME --dry-run
    """
    from flows.console.output import starting

    with starting("release publish", is_quick=True):
        from benchloom.release.publication import open_target, plan_publication
        from benchloom.release.publication import publish as send
        from benchloom.release.versions import release_folder
        from flows.stages.release import FURTHER_GATES

    folder = release_folder(release, workspace)
    target = open_target(to)
    steps = (
        plan_publication(folder, target, FURTHER_GATES)[1]
        if dry_run
        else send(folder, target, further=FURTHER_GATES)
    )
    summary = PublishSummary(
        command="release publish",
        release=str(folder),
        to=to,
        dry_run=dry_run,
        sent=sum(step.action == "send" for step in steps),
        kept=sum(step.action == "keep" for step in steps),
        removed=sum(step.action == "remove" for step in steps),
        bytes=sum(step.bytes for step in steps if step.action == "send"),
    )
    verb = "would send" if dry_run else "sent and verified"
    removal_note = f", {summary.removed} only in the previous release" if summary.removed else ""
    sent = f"{verb} {summary.sent} files ({summary.bytes} bytes)"
    lines = [f"{sent}, {summary.kept} were already there{removal_note}: {to}"]
    finish(summary, lines, as_json=json)
