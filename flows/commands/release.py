"""`benchloom release build|check|list`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from flows.commands.options import DEFAULT_WORKSPACE, Json, Workspace, finish

if TYPE_CHECKING:
    from benchloom.release import Manifest


class ReleaseSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What `release build` and `release check` print with --json."""

    command: str
    release: str
    version: str
    content_digest: str
    rows: dict[str, int]


class ListSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What `release list` prints with --json."""

    command: str
    releases: tuple[ReleaseSummary, ...]


def build(
    stage: Annotated[
        list[Path],
        typer.Option("--in", metavar="DIR", help="Folder of a normalised stage; repeatable."),
    ],
    version: Annotated[
        str | None, typer.Option("--version", help="Version; proposed from the diff if absent.")
    ] = None,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Build an immutable release from normalised stages."""
    from benchloom.release import read_manifest
    from flows.stages.release import release_stages

    folder = release_stages(stage, workspace / "releases", version)
    _print("release build", folder, read_manifest(folder), as_json=json)


def check(
    release: Annotated[
        Path | None, typer.Argument(help="Folder of the release; the newest if absent.")
    ] = None,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Read every file of a release again; exit with 1 and name each difference."""
    from benchloom.errors import RunError
    from benchloom.release import check_release, list_releases

    if release is None:
        versions = list_releases(workspace / "releases")
        if not versions:
            raise RunError(f"{workspace / 'releases'}: no release")
        release = workspace / "releases" / versions[-1]
    manifest = check_release(release)
    _print("release check", release, manifest, as_json=json)


def list_command(json: Json = False, workspace: Workspace = DEFAULT_WORKSPACE) -> None:
    """List the releases of a workspace, oldest first."""
    from benchloom.release import list_releases, read_manifest

    folder = workspace / "releases"
    found = tuple(
        _summary("release list", folder / version, read_manifest(folder / version))
        for version in list_releases(folder)
    )
    lines = [f"{entry.version}  {_rows(entry.rows)}  {entry.content_digest}" for entry in found]
    summary = ListSummary(command="release list", releases=found)
    finish(summary, lines or [f"no releases in {folder}"], as_json=json)


def _summary(command: str, folder: Path, manifest: "Manifest") -> ReleaseSummary:
    return ReleaseSummary(
        command=command,
        release=str(folder),
        version=manifest.version,
        content_digest=manifest.content_digest,
        rows=manifest.tables(),
    )


def _rows(rows: dict[str, int]) -> str:
    return ", ".join(f"{count} {table}" for table, count in rows.items())


def _print(command: str, folder: Path, manifest: "Manifest", *, as_json: bool) -> None:
    summary = _summary(command, folder, manifest)
    done = "is sound" if command == "release check" else "is built"
    lines = [
        f"release {summary.version} {done}: {_rows(summary.rows)}",
        f"  in {folder}",
        f"  {summary.content_digest}",
    ]
    finish(summary, lines, as_json=as_json)


def add_to(app: typer.Typer, parents: dict[str, typer.Typer]) -> None:
    """Add the commands under `benchloom release`."""
    parents["release"].command("build")(build)
    parents["release"].command("check")(check)
    parents["release"].command("list")(list_command)
