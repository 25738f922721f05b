"""`release check` writes the derived data of a release of real inputs again, and compares."""

import json
from pathlib import Path

import msgspec
import pytest

from benchloom.release import read_manifest
from benchloom.storage.code import release_code
from tests.acceptance.test_real_sources import SHORTCUTS, unpack_members, write_dialogues
from tests.flows.releases.test_written_again import (
    DOCUMENTS,
    SEED,
    chosen,
    documents_not_named,
    findings_of,
    is_told,
    missed,
    remembered,
)
from tests.support.forgeries import document_forgeries, manifest_forgeries, seal, table_forgeries
from tests.support.stranger import Stranger

__all__ = ["remembered"]
ONLY_THE_SOURCE_TELLS = {
    "planning_paths.steps.outcome": "what the service answered in the dialogue",
    "planning_paths.steps.returns": "which outputs the service names; the definition may have more",
}
pytestmark = [
    pytest.mark.real_data,
    pytest.mark.slow,
    pytest.mark.usefixtures("remembered"),
]


@pytest.fixture(scope="module")
def real_release(tmp_path_factory: pytest.TempPathFactory, prefect_url: str) -> Path:
    """A release of real shortcuts, the definitions of a ToolKit, and dialogues of SGD."""
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
    # A wheel has other packages beside it than this checkout.
    seal(folder, made=msgspec.structs.replace(read_manifest(folder).made, code=release_code()))
    return folder


def test_a_sound_release_of_real_inputs_has_no_findings(real_release: Path) -> None:
    assert findings_of(real_release) == []


def test_a_changed_derived_value_is_found(real_release: Path, tmp_path: Path) -> None:
    forgeries = [
        forgery
        for forgery in (*table_forgeries(real_release, SEED), *manifest_forgeries(real_release))
        if is_told(forgery.name) and forgery.name not in ONLY_THE_SOURCE_TELLS
    ]
    assert len(forgeries) >= 120
    assert missed(real_release, chosen(forgeries, 4), tmp_path) == []


def test_a_changed_document_is_found_and_named(real_release: Path, tmp_path: Path) -> None:
    forgeries = [
        forgery for forgery in document_forgeries(real_release) if forgery.name in DOCUMENTS
    ]
    assert len(forgeries) == len(DOCUMENTS)
    assert documents_not_named(real_release, forgeries, tmp_path) == []
