"""The release check: every file is read again and every gate asked; any fault is a finding."""

from collections.abc import Iterator
from pathlib import Path

from benchloom.errors import GateError
from benchloom.release.gates import gate_members, view_gate
from benchloom.release.manifest import (
    FORMAT,
    MANIFEST,
    MANIFEST_DIGEST,
    Manifest,
    ReleaseFile,
    content_digest,
    file_digest,
    read_manifest,
)
from benchloom.release.versions import is_version

MOST_FINDINGS = 100


def check_release(folder: Path) -> Manifest:
    """Check a release; its manifest when everything holds.

    Raises:
        RunError: there is no release in the folder.
        GateError: with one finding per difference, at most 100.
    """
    manifest = read_manifest(folder)
    findings: list[str] = []
    for finding in _findings(folder, manifest):
        findings.append(finding)
        if len(findings) == MOST_FINDINGS:
            findings.append("more findings are not listed")
            break
    if findings:
        raise GateError(f"release {folder.name}: {len(findings)} findings", tuple(findings))
    return manifest


def _findings(folder: Path, manifest: Manifest) -> Iterator[str]:
    if manifest.format != FORMAT:
        yield f"{MANIFEST}: format '{manifest.format}', expected '{FORMAT}'"
    # A copy may have any name (a download from the Hub has a commit's), but not another version's.
    if is_version(folder.name) and manifest.version != folder.name:
        yield f"{MANIFEST}: version {manifest.version} in folder {folder.name}"
    if content_digest(manifest.files) != manifest.content_digest:
        yield f"{MANIFEST}: content digest differs from its files"
    yield from _history_findings(folder, manifest)
    foreign = list(_extra_files(folder, manifest))
    yield from foreign
    problems = [found for file in manifest.files if (found := _file_problem(folder, file))]
    yield from problems
    if problems or foreign:
        return  # what the gates would read is not what was released
    view = view_gate(folder, manifest)
    contract = list(gate_members()["contract"].findings(view))
    yield from contract
    if contract:
        return  # the other gates read columns that the contract promises
    for name, gate in gate_members().items():
        if name != "contract":
            yield from gate.findings(view)


def _history_findings(folder: Path, manifest: Manifest) -> Iterator[str]:
    """Whether earlier releases beside this one are what they were; withdrawn ones may be gone."""
    previous = manifest.previous
    while previous is not None:
        earlier = folder.resolve().parent / previous.version
        path = earlier / MANIFEST
        if not path.is_file():
            return
        if file_digest(path) != previous.manifest_sha256:
            yield f"release {previous.version}: its {MANIFEST} was changed after it was built"
            return
        previous = read_manifest(earlier).previous


def _extra_files(folder: Path, manifest: Manifest) -> Iterator[str]:
    known = {file.path for file in manifest.files} | {MANIFEST, MANIFEST_DIGEST}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if not path.is_dir() and name not in known and not _is_of_the_hub(name):
            yield f"{name}: not in the manifest"


def _is_of_the_hub(name: str) -> bool:
    """What the Hub and its client lay beside the files of a repository."""
    return name == ".gitattributes" or name.startswith(".cache/huggingface/")


def _file_problem(folder: Path, file: ReleaseFile) -> str | None:
    path = folder / file.path
    if not path.is_file():
        return f"{file.path}: missing"
    if path.stat().st_size != file.bytes:
        return f"{file.path}: {path.stat().st_size} bytes, manifest says {file.bytes}"
    if file_digest(path) != file.sha256:
        return f"{file.path}: bytes differ from the manifest's sha256"
    return None
