"""Check that `release check` derives the data of a release of real inputs again and compares it."""

import json
from pathlib import Path

import msgspec
import pytest

from benchloom.release import read_manifest
from benchloom.storage.code import release_code
from tests.acceptance.test_real_sources import SHORTCUTS, unpack_members, write_dialogues
from tests.flows.releases.test_reproduction import (
    DOCUMENTS,
    SEED,
    findings_of,
    is_verifiable,
    spread_sample,
    stored_results,
    undetected_changes,
    undetected_documents,
)
from tests.support.forgeries import document_forgeries, manifest_forgeries, seal, table_forgeries
from tests.support.stranger import Stranger

__all__ = ["stored_results"]
UNVERIFIABLE_IN_REAL_DATA = {
    "planning_paths.steps.outcome": "what the service answered in the dialogue",
    "planning_paths.steps.returns": "which outputs the service names; the definition may have more",
}
pytestmark = [
    pytest.mark.real_data,
    pytest.mark.slow,
    pytest.mark.usefixtures("stored_results"),
]


@pytest.fixture(scope="module")
def real_release(tmp_path_factory: pytest.TempPathFactory, prefect_url: str) -> Path:
    """Rebuild real shortcuts, the definitions of a ToolKit and dialogues of SGD into a release."""
    root = tmp_path_factory.mktemp("real")
    sources = {
        "shortcuts": unpack_members("shortcuts.zip", root / "shortcuts", "unsigned/", SHORTCUTS),
        "definitions": unpack_members("toolkit_ios26.zip", root / "toolkit", ".sqlite", 1),
        "sgd": write_dialogues(root / "sgd", ("dev",)),
    }
    lines = [f"{key} = {json.dumps([str(path)])}" for key, path in sources.items()]
    (root / "rebuild.toml").write_text("\n".join(["[sources]", *lines]), encoding="utf-8")
    Stranger(root, root / "home", prefect_url).types("rebuild")
    (manifest,) = root.rglob("manifest.json")
    folder = manifest.parent
    # The release must name this checkout's code, not that of the installed package.
    seal(folder, made=msgspec.structs.replace(read_manifest(folder).made, code=release_code()))
    return folder


def test_sound_release_of_real_inputs_has_no_findings(real_release: Path) -> None:
    assert findings_of(real_release) == []


def test_changed_derived_values_are_found(real_release: Path, tmp_path: Path) -> None:
    forgeries = [
        forgery
        for forgery in (*table_forgeries(real_release, SEED), *manifest_forgeries(real_release))
        if is_verifiable(forgery.name) and forgery.name not in UNVERIFIABLE_IN_REAL_DATA
    ]
    assert len(forgeries) >= 120
    assert undetected_changes(real_release, spread_sample(forgeries, 4), tmp_path) == []


def test_changed_documents_of_real_inputs_are_found_and_named(
    real_release: Path, tmp_path: Path
) -> None:
    forgeries = [
        forgery for forgery in document_forgeries(real_release) if forgery.name in DOCUMENTS
    ]
    assert len(forgeries) == len(DOCUMENTS)
    assert undetected_documents(real_release, forgeries, tmp_path) == []
