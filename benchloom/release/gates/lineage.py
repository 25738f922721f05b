"""A release gate: every row must state the source file or recorded response it was made from."""

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from benchloom.core.identity import hex_of
from benchloom.release.gates.view import Choice, GateView
from benchloom.storage.inputs import MEMBER

OWN = "benchloom"
_SOURCE = ("source_uri", "source_digest")


def findings(release: GateView) -> Iterator[str]:
    """Yield one line per row whose source is neither in the manifest nor a recorded response."""
    sources: dict[str, set[str]] = {}
    for file in release.manifest.created_from.sources:
        sources.setdefault(file.source_uri, set()).add(file.digest)
    bodies = _bodies(release)
    for archive in sorted(bodies.keys() - sources.keys()):
        yield f"captures: {archive} is not among the sources of the manifest"
    columns = ["shortcut_id", "source_uri", "source_digest"]
    for row_id, uri, digest in release.rows("shortcuts", columns, _without_file(sources)):
        yield from _source(f"shortcuts: {row_id}", str(uri), str(digest), sources)
        for archive, address in _cuts(str(uri)):
            if archive in bodies and hex_of(str(digest)) not in bodies[archive]:
                yield f"shortcuts: {row_id}: no capture in {archive} has the bytes of {address}"
    for row_id, kind, uri, digest in release.rows(
        "api_definitions", ["definition_id", "source_kind", "source_uri", "source_digest"]
    ):
        if kind != OWN:
            yield from _source(f"api_definitions: {row_id}", str(uri), str(digest), sources)
    for row_id, dialogues in release.rows("planning_paths", ["path_id", "dialogues"]):
        for dialogue in dialogues if isinstance(dialogues, list) else []:
            uri = str(dialogue["source_uri"])
            yield from _source(f"planning_paths: {row_id}", uri, None, sources)
        if not dialogues:
            yield f"planning_paths: {row_id}: has no dialogue"
    yield from _capture_findings(release)


def _without_file(sources: dict[str, set[str]]) -> Choice:
    # Selects members of archives, and rows whose source is not a file of the manifest.
    def choose(rows: pa.RecordBatch) -> pa.Array:
        # Arrow's `is_in` would hash all sources again for every batch.
        sources_of_rows = zip(*(rows.column(name).to_pylist() for name in _SOURCE), strict=True)
        return pa.array(
            [_is_no_file(uri, digest, sources) for uri, digest in sources_of_rows], pa.bool_()
        )

    return choose


def _is_no_file(uri: str | None, digest: str | None, sources: dict[str, set[str]]) -> bool:
    return uri is None or digest not in sources.get(uri, ())


def _source(
    location: str, uri: str, digest: str | None, sources: dict[str, set[str]]
) -> Iterator[str]:
    # A file's name may contain `!` too. The manifest has no digests of archive members.
    if any(archive in sources for archive, _ in _cuts(uri)):
        return
    if uri not in sources:
        file = uri.partition(MEMBER)[0] or uri
        yield f"{location}: {file} is not among the sources of the manifest"
    elif digest is not None and digest not in sources[uri]:
        yield f"{location}: the manifest has another digest for {uri}"


def _cuts(uri: str) -> Iterator[tuple[str, str]]:
    at = uri.find(MEMBER)
    while at >= 0:
        yield uri[:at], uri[at + 1 :]
        at = uri.find(MEMBER, at + 1)


def _bodies(release: GateView) -> dict[str, set[str]]:
    digests_by_archive: dict[str, set[str]] = {}
    for archive, digest in release.rows("captures", ["warc", "body_digest"]):
        digests_by_archive.setdefault(str(archive), set()).add(hex_of(str(digest)))
    return digests_by_archive


def _capture_findings(release: GateView) -> Iterator[str]:
    if not release.has("captures"):
        return
    captures = release.values("captures", "capture_id")
    for row_id, *capture_ids in release.rows("listings", ["listing_id", "capture", "link_capture"]):
        for capture in capture_ids:
            if capture is not None and capture not in captures:
                yield f"listings: {row_id}: {capture} is not among the captures"
    columns = ["icloud_id", "state", "record_capture", "asset_capture"]
    records: set[object] = set()
    for row_id, state, *capture_ids in release.rows("icloud_records", columns):
        records.add(row_id)
        for capture in capture_ids:
            if capture is not None and capture not in captures:
                yield f"icloud_records: {row_id}: {capture} is not among the captures"
        if state == "available" and None in capture_ids:
            yield f"icloud_records: {row_id}: is available, but has no captures"
    for row_id, ids in release.rows("shortcuts", ["shortcut_id", "icloud_ids"], _linked):
        for icloud_id in ids if isinstance(ids, list) else []:
            if icloud_id not in records:
                yield f"shortcuts: {row_id}: {icloud_id} is not among the iCloud records"


def _linked(shortcuts: pa.RecordBatch) -> pa.Array:
    return pc.greater(pc.list_value_length(shortcuts.column("icloud_ids")).fill_null(0), 0)
