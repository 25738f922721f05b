"""A release gate: documents must show what the owner states about the dataset, unchanged.

It compares title, licence, authors and similar details in the manifest with those in the dataset
card, `croissant.json` and `CITATION.cff`.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from benchloom.core.set_details import NO_DETAILS
from benchloom.release.documents.card import licence_fields
from benchloom.release.documents.citation import citation
from benchloom.release.documents.croissant import owner_fields
from benchloom.release.gates.view import GateView
from benchloom.release.manifest import Manifest

CARD, CROISSANT, CITATION = "README.md", "croissant.json", "CITATION.cff"
_OWNED = ("name", "alternateName", "description", "license", "creator", "url")


def findings(release: GateView) -> Iterator[str]:
    """Yield a line for each missing document, and for each value that differs from the manifest."""
    manifest = release.manifest
    paths = {file.path for file in manifest.files}
    if manifest.details != NO_DETAILS:
        for name in (CARD, CROISSANT, CITATION):
            if name not in paths:
                yield f"{name}: is missing, although the manifest contains details of the dataset"
    for name, check in ((CARD, _card), (CROISSANT, _croissant), (CITATION, _citation)):
        if name in paths:
            yield from check(manifest, release.folder / name)


def _card(manifest: Manifest, path: Path) -> Iterator[str]:
    expected: dict[str, object] = {
        "pretty_name": manifest.details.heading,
        **licence_fields(manifest.details),
    }
    yield from _differences(CARD, expected, _front_matter(path), expected)


def _croissant(manifest: Manifest, path: Path) -> Iterator[str]:
    try:
        described = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):  # the gate `documents` reports it
        return
    expected = owner_fields(manifest.details)
    # Earlier versions described sets without details differently.
    keys = [key for key in _OWNED if key != "description" or manifest.details.description]
    yield from _differences(CROISSANT, expected, described, keys)


def _citation(manifest: Manifest, path: Path) -> Iterator[str]:
    expected = citation(manifest.details, manifest.version, manifest.content_digest)
    if path.read_bytes() != expected.encode():
        yield f"{CITATION}: differs from the details in the manifest"


def _front_matter(path: Path) -> object:
    _, _, rest = path.read_text(encoding="utf-8", errors="replace").partition("---\n")
    try:
        return msgspec.yaml.decode(rest.partition("\n---\n")[0])
    except (msgspec.DecodeError, RecursionError):
        return None


def _differences(
    name: str, expected: dict[str, object], described: object, keys: Iterable[str]
) -> Iterator[str]:
    values = described if isinstance(described, dict) else {}
    for key in keys:
        if values.get(key) != expected.get(key):
            yield f"{name}: '{key}' differs from the details in the manifest"
