"""Check a release: verify the digest of every file, and run every gate.

A gate is a check that every release must pass. Each fault is reported as a finding, a line of text.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, islice
from pathlib import Path

import msgspec

from benchloom.core.errors import GateError, RunError
from benchloom.core.progress import counted, under_way
from benchloom.release.gates import (
    GATES,
    AnyGate,
    GateView,
    Part,
    kilobytes_of,
    parts_of,
    rows_together,
    view_gate,
)
from benchloom.release.hub_files import is_cache_link, is_hub_note
from benchloom.release.manifest import (
    MANIFEST,
    MANIFEST_DIGEST,
    SIGNATURE,
    Manifest,
    ReleaseFile,
    content_digest,
    file_digest,
    is_reproducible,
    read_manifest,
)
from benchloom.release.redacting import Run
from benchloom.release.versions import is_version
from benchloom.storage.seals import SealedFile, fault_of, kind_of, unknown_entries
from benchloom.storage.tables import table_names

MAX_FINDINGS = 100
_PER_CENT = 100


class GatePart(msgspec.Struct, frozen=True):
    """A part of a release check (a gate), to run in another process.

    `digest` is the digest of the release's manifest file.
    """

    folder: Path
    digest: str
    part: Part


class GateResult(msgspec.Struct, frozen=True):
    """The faults that a part of a release check found, and the error that stopped it, if any."""

    findings: tuple[str, ...]
    fault: str | None = None


def check_release(
    folder: Path,
    further: Sequence[AnyGate] = (),
    run: Run = map,
    again: Sequence[AnyGate] = (),
) -> Manifest:
    """Run all checks on a release and return its manifest.

    Raises GateError with at most 100 findings if a check fails.

    `further` lists checks that need data outside the release. The checks in `again` write rows and
    documents again and compare them with those in the release. They run only if all other checks
    pass and the release is reproducible. `run` is `map`, or the `map` of a pool of processes.
    """
    manifest = read_manifest(folder)
    again = again if is_reproducible(manifest) else ()
    findings: list[str] = []
    for finding in _findings(folder, manifest, (further, again), run):
        findings.append(finding)
        if len(findings) == MAX_FINDINGS:
            findings.append("there are more findings, which are not listed")
            break
    if findings:
        raise GateError(f"release {manifest.version}: {len(findings)} findings", tuple(findings))
    return manifest


def _findings(
    folder: Path,
    manifest: Manifest,
    further: tuple[Sequence[AnyGate], Sequence[AnyGate]],
    run: Run,
) -> Iterator[str]:
    # A copy may have any name, such as a commit of the Hub, except another version's.
    if is_version(folder.name) and manifest.version != folder.name:
        yield (
            f"{MANIFEST}: states version {manifest.version}, but the folder is named {folder.name}"
        )
    if content_digest(manifest.files) != manifest.content_digest:
        yield f"{MANIFEST}: the content digest does not match the digests of the listed files"
    yield from _unknown_keys(folder, manifest)
    yield from _history_findings(folder, manifest)
    foreign = list(_foreign(folder, manifest))
    yield from foreign
    files = counted(manifest.files, "release: reading again", len(manifest.files), "files")
    problems = list(file_problems(folder, files))
    yield from problems
    if not problems and not foreign:  # gates assume the files of the manifest
        view = _view(folder, file_digest(folder / MANIFEST), manifest)
        yield from _gate_findings(view, further, run)


def _gate_findings(
    view: GateView, further: tuple[Sequence[AnyGate], Sequence[AnyGate]], run: Run
) -> Iterator[str]:
    # An unreadable table is a finding too.
    contract = GATES.find("contract")
    rows = view.tables.rows()
    others = GATES.apart_from(["contract", *(name for name in table_names() if not rows.get(name))])
    sound = True
    # The other gates rely on the columns that the contract gate checks.
    try:
        for gates in ([contract], [*others.values(), *further[0]], further[1]):
            parts = list(_gate_parts(view, gates)) if sound else []
            outcomes = run(_run_part, parts)
            for outcome in _with_progress(outcomes, parts):
                yield from outcome.findings
                sound = sound and not outcome.findings
                if outcome.fault is not None:
                    yield outcome.fault
                    return
    except RunError as error:
        yield _fault(error, view.folder)
    finally:
        view.forget()


def _gate_parts(view: GateView, gates: Iterable[AnyGate]) -> Iterator[GatePart]:
    digest = file_digest(view.folder / MANIFEST)
    parts = (part for gate in gates for part in parts_of(gate, view))
    for part in rows_together(parts):
        yield GatePart(view.folder, digest, part)


def _with_progress(
    outcomes: Iterable[GateResult], parts: Sequence[GatePart]
) -> Iterator[GateResult]:
    # Progress counts bytes, because parts differ a thousandfold in size.
    ends = list(accumulate(kilobytes_of(part.part) for part in parts)) or [0]
    with under_way("release: gates", _PER_CENT, "%") as progress:
        for outcome, end in zip(outcomes, ends, strict=False):
            yield outcome
            progress.advance(_PER_CENT * end // ends[-1] - progress.done)


def _run_part(part: GatePart) -> GateResult:
    findings: list[str] = []
    try:
        findings.extend(islice(part.part(_view(part.folder, part.digest)), MAX_FINDINGS))
    except RunError as error:
        return GateResult(tuple(findings), _fault(error, part.folder))
    return GateResult(tuple(findings))


def _fault(error: RunError, folder: Path) -> str:
    return str(error).replace(f"{folder}/", "")


_views: dict[tuple[Path, str], GateView] = {}
"""Contains only the view of the last checked release, which all parts in this process share."""


def _view(folder: Path, digest: str, manifest: Manifest | None = None) -> GateView:
    view = _views.get((folder, digest))
    if view is None:
        view = view_gate(folder, manifest or read_manifest(folder))
        _views.clear()
        _views[folder, digest] = view
    return view


def _history_findings(folder: Path, manifest: Manifest) -> Iterator[str]:
    # A withdrawn release may be missing.
    previous = manifest.previous
    while previous is not None:
        earlier = folder.resolve().parent / previous.version
        path = earlier / MANIFEST
        if not path.is_file():
            return
        if file_digest(path) != previous.manifest_sha256:
            yield f"release {previous.version}: its {MANIFEST} was changed after it was built"
            return
        try:
            previous = read_manifest(earlier).previous
        except GateError as error:
            yield f"release {earlier.name}: {'; '.join(error.findings)}"
            return


def _unknown_keys(folder: Path, manifest: Manifest) -> Iterator[str]:
    # The typed decoder ignores unknown keys.
    written = msgspec.json.decode((folder / MANIFEST).read_bytes())
    for key_path in sorted(set(_further_keys(written, msgspec.to_builtins(manifest), ""))):
        yield f"{MANIFEST}: contains the unknown key {key_path}"


def _further_keys(written: object, typed_value: object, prefix: str) -> Iterator[str]:
    if isinstance(written, dict) and isinstance(typed_value, dict):
        for key, value in written.items():
            if key in typed_value:
                yield from _further_keys(value, typed_value[key], f"{prefix}{key}.")
            else:
                yield f"{prefix}{key}"
    elif isinstance(written, list) and isinstance(typed_value, list | tuple):
        for value, other in zip(written, typed_value, strict=False):
            yield from _further_keys(value, other, prefix)


def _foreign(folder: Path, manifest: Manifest) -> Iterator[str]:
    release_paths = [file.path for file in manifest.files]
    release_paths += [MANIFEST, MANIFEST_DIGEST, *_optional(folder)]
    for name, kind in unknown_entries(folder, release_paths):
        path = folder / name
        if kind == "folder":
            yield from _foreign_below(folder, name, release_paths)
        elif kind == "link" and name in release_paths and is_cache_link(folder, path):
            continue
        elif not is_hub_note(folder, name, release_paths):
            yield _foreign_entry(name, kind)


def _foreign_below(folder: Path, name: str, release_paths: list[str]) -> Iterator[str]:
    if not is_hub_note(folder, name, release_paths):
        yield _foreign_entry(name, "folder")
        return
    for path in sorted((folder / name).iterdir()):
        inner = path.relative_to(folder).as_posix()
        kind = kind_of(path) or "file"
        if kind == "folder":
            yield from _foreign_below(folder, inner, release_paths)
        elif not is_hub_note(folder, inner, release_paths):
            yield _foreign_entry(inner, kind)


def _foreign_entry(name: str, kind: str) -> str:
    display_name = name if name.isprintable() else ascii(name)[1:-1]
    return f"{display_name}: is not in the manifest" + ("" if kind == "file" else f" (a {kind})")


def _optional(folder: Path) -> list[str]:
    return [SIGNATURE] if kind_of(folder / SIGNATURE) == "file" else []


def file_problems(folder: Path, files: Iterable[ReleaseFile]) -> Iterator[str]:
    """Yield one line per file of a release that is missing or differs from the manifest."""
    for file in files:
        path = folder / file.path
        sealed = SealedFile(file.path, file.bytes, file.sha256)
        if kind_of(path) == "link" and is_cache_link(folder, path):
            target = path.resolve()
            sealed = SealedFile(target.name, file.bytes, file.sha256)
            fault = fault_of(target.parent, sealed)
        else:
            fault = fault_of(folder, sealed)
        if fault is not None:
            yield f"{file.path}: {fault}"
