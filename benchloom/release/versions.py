"""Version numbers of releases: how to order them, propose the next one, and find a release.

A release with a changed schema gets a new major version, one with added or removed rows a new minor
version, and one with corrected rows a new patch version.
"""

from pathlib import Path

import msgspec
import pyarrow as pa

from benchloom.core.errors import RunError
from benchloom.release.manifest import MANIFEST, VERSION, Manifest, read_manifest
from benchloom.storage.inputs import nothing_in
from benchloom.storage.tables import load_table, read_rows, row_values, schema_of, table_parts
from benchloom.storage.workspace import write_file

FIRST = "0.1.0"
LATEST = "latest.json"


class Latest(msgspec.Struct, frozen=True):
    """The content of `latest.json`: the version of the newest release."""

    version: str


def version_key(version: str) -> tuple[int, int, int]:
    """Return the three numbers of a version, for sorting.

    Raises RunError if it is not a version.
    """
    match = VERSION.fullmatch(version)
    if match is None:
        raise RunError(f"'{version}' is not a version like 1.2.3")
    return int(match[1]), int(match[2]), int(match[3])


def is_version(text: str) -> bool:
    """Return whether a text is a version: three numbers separated by dots."""
    return VERSION.fullmatch(text) is not None


def list_releases(releases: Path) -> list[str]:
    """Return the versions of all releases in a folder, oldest first."""
    if not releases.is_dir():
        return []
    versions = [
        path.name
        for path in releases.iterdir()
        if VERSION.fullmatch(path.name) and (path / MANIFEST).is_file()
    ]
    return sorted(versions, key=version_key)


def release_folder(name: Path | None, workspace: Path) -> Path:
    """Return the folder of a release, which `name` gives as a path or as a version.

    Without a name, the newest release of the workspace is returned. Raises NothingReadError if the
    name is neither a folder nor a version in the workspace, and RunError if the workspace has no
    release or the name is a URL.
    """
    releases = workspace / "releases"
    versions = list_releases(releases)
    if name is None:
        if not versions:
            raise RunError(f"{releases} contains no release; make one with 'benchloom rebuild'")
        return releases / versions[-1]
    folder = name if name.is_dir() else releases / name
    if not folder.is_dir():
        if len(name.parts) > 1 and name.parts[0].endswith(":"):
            raise RunError(
                f"{name.parts[0]}//... is a URL; pass a folder, or a version of --workspace. "
                "benchloom.load in Python reads releases behind URLs"
            )
        contents = (
            f"contains {', '.join(versions)}; pass one of these"
            if versions
            else "contains no release; make one with 'benchloom rebuild'"
        )
        raise nothing_in(
            name, f"{name} is neither a folder nor a version of a release; {releases} {contents}"
        )
    return folder


def gold_path(name: Path | None, workspace: Path) -> Path:
    """Return the path of correct answers, which `name` gives as a path or a release's version.

    Without a name, the newest release of the workspace is returned.
    """
    if name is not None and name.exists():
        return name
    return release_folder(name, workspace)


def release_before(release: Path) -> Path:
    """Return the folder of the previous release. Raises RunError if there is none."""
    versions = list_releases(release.parent)
    at = versions.index(release.name) if release.name in versions else 0
    if not at:
        raise RunError(
            f"{release.parent} has no release before {release.name}; pass an earlier release as A"
        )
    return release.parent / versions[at - 1]


def newest(releases: Path) -> tuple[str, Manifest] | None:
    """Return the version and the manifest of the newest release, or None if there is no release."""
    versions = list_releases(releases)
    return (versions[-1], read_manifest(releases / versions[-1])) if versions else None


def point_latest(releases: Path, version: str) -> None:
    """Replace `latest.json` atomically, unless it already states `version`."""
    content = msgspec.json.encode(Latest(version)) + b"\n"
    path = releases / LATEST
    if not path.is_file() or path.read_bytes() != content:
        write_file(path, content)


def propose_version(previous: Path | None, candidate: Path) -> str:
    """Propose the version of the tables in `candidate`, from their differences to `previous`."""
    if previous is None:
        return FIRST
    major, minor, patch = version_key(previous.name)
    tables = sorted(path.name for path in candidate.iterdir() if path.is_dir())
    earlier = sorted(read_manifest(previous).tables())
    if set(earlier) - set(tables) or any(
        table_schema(previous, table) != table_schema(candidate, table) for table in earlier
    ):
        return f"{major + 1}.0.0"
    if set(tables) - set(earlier) or any(
        _keys(previous, table) != _keys(candidate, table) for table in earlier
    ):
        return f"{major}.{minor + 1}.0"
    return f"{major}.{minor}.{patch + 1}"


def table_schema(folder: Path, table: str) -> pa.Schema | None:
    """Return the schema of a release's table, or None if the release lacks the table."""
    parts = table_parts(folder, table)
    return schema_of(parts[0]) if parts else None


def _keys(folder: Path, table: str) -> set[tuple[object, ...]]:
    columns = list(load_table(table).same_by())
    keys: set[tuple[object, ...]] = set()
    for part in table_parts(folder, table):
        keys.update(row_values(read_rows(part, columns), columns))
    return keys
