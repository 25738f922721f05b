"""Check that `release check` derives a release's data again and compares it.

Each test changes a value and reseals the manifest with the right digests, as a forger would. The
check finds every change that contradicts other data of the release. `UNVERIFIABLE` lists columns
that only inputs, servers or models could contradict.
"""

import json
import shutil
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchloom.core.errors import GateError
from benchloom.release import check_release, read_manifest
from benchloom.storage.code import release_code
from benchloom.storage.memory import remembering
from benchloom.storage.tables import load_table
from flows.stages.release import FURTHER_GATES
from flows.stages.reproduction import REPRODUCTION_GATES, documents
from tests.support.commands import benchloom
from tests.support.demo_world import SHORTCUTS
from tests.support.forgeries import (
    Forgery,
    document_forgeries,
    manifest_forgeries,
    seal,
    table_forgeries,
)
from tests.support.shortcut_stages import build
from tests.support.soak import samples

pytestmark = pytest.mark.prefect
SEED = 20261126
ROWS_GATES = tuple(gate for gate in REPRODUCTION_GATES if gate is not documents)
"""The gates without documents: documents state digests, which a careful forger would adapt."""

DOCUMENTS = ("README.md", "FIGURES.md", "TABLES.md", "croissant.json", "report.html")
UNVERIFIABLE = {
    "api_definitions.*": "sources of the definition: merged ones keep the id of the first of them",
    "apps.paid": "a mark of the operator",
    "apps.legacy": "as above",
    "apps.unavailable": "as above",
    "apps.note": "as above",
    "captures.*": "what a server answered; the web archive has it",
    "icloud_records.*": "what iCloud answered",
    "listings.*": "what a site's page says; the web archive has it",
    "dialogues.utterances*": "what was said in a dialogue of the source",
    "dialogues.results*": "what services answered in it",
    "dialogues.is_whole": "how much of the source's dialogue was read",
    "planning_paths.steps.arguments.turn": "where in the dialogue of the source a value came up",
    "planning_paths.steps.arguments.provenance": "as above",
    "planning_paths.edges.evidence": "as above",
    "planning_paths.oddities": "what the reader of the input tolerated",
    "service_results.arguments": "what a service was asked and answered, in the source",
    "service_results.outcome": "as above",
    "service_results.rows*": "as above",
    "service_results.turn": "as above",
    "service_results.wordings*": "what the user said in it",
    "queries.prompt_digest": "the request, which only the log of completions has",
    "rejected.message": "an input that is in no table",
    "rejected.digest": "as above",
    "rejected.source_uri": "as above",
    "shortcuts.container": "the file, which no release holds",
    "shortcuts.name": "the file, or a page about it",
    "shortcuts.name_source": "as above",
    "shortcuts.description": "as above",
    "shortcuts.client_version": "the file",
    "shortcuts.icloud_ids": "the pages that led to it",
    "shortcuts.oddities": "the file: what its container was tolerated for",
    "shortcuts.input_classes": "the file",
    "shortcuts.surfaces": "the file",
    "shortcuts.actions.group": "the file: the ids of its blocks",
    "shortcuts.icon*": "the file",
    "shortcuts.needs_input.no_input_behavior": "the file",
    "shortcuts.needs_input.import_questions*": "the file; rows with questions lose their defaults",
    "shortcuts.redactions*": "the values before they were redacted",
    "funnel.parse-definitions.received": "files of the input, of which some define nothing",
    "funnel.parse-definitions.rows.api_definitions": "definitions before equal ones were merged",
    "funnel.normalise-definitions.received": "as above",
    "funnel.convert-*.rows.api_definitions": "as above",
    "funnel.convert-*.rows.dialogues": "dialogues before those whose words are withheld",
    "funnel.convert-*.rows.service_results": "as above",
    "funnel.normalise-plans.*": "found where the tables hold fewer rows",
}
"""Columns whose changes may stay unnoticed, each with the source that is not in the release."""


def is_verifiable(name: str) -> bool:
    return not any(fnmatch(name, pattern) for pattern in UNVERIFIABLE)


@pytest.fixture(scope="module")
def sound_release(demo_release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the demo's release as this checkout would have made it, whatever packages made it."""
    folder = shutil.copytree(demo_release, tmp_path_factory.mktemp("sound") / "0.1.0")
    provenance = msgspec.structs.replace(read_manifest(folder).made, code=release_code())
    seal(folder, made=provenance)
    return folder


@pytest.fixture(scope="module")
def stored_results(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Share one store of valid results and drawn plots among the checks of this module."""
    folder = tmp_path_factory.mktemp("remembered")
    with remembering(folder):
        yield


def findings_of(folder: Path, *, documents: bool = True) -> list[str]:
    gates = REPRODUCTION_GATES if documents else ROWS_GATES
    try:
        check_release(folder, FURTHER_GATES, again=gates)
    except GateError as error:
        return list(error.findings)
    return []


def copy_release(release: Path, folder: Path) -> Path:
    return shutil.copytree(release, folder / release.name)


def spread_sample(forgeries: list[Forgery], sample_size: int) -> list[Forgery]:
    """Return evenly spaced forgeries, or every forgery in `make soak`."""
    count = min(len(forgeries), samples(sample_size, len(forgeries)))
    return [forgeries[at * len(forgeries) // count] for at in range(count)]


def undetected_changes(release: Path, forgeries: list[Forgery], work: Path) -> list[str]:
    """Return the names of changes of rows that a check does not find."""
    names: list[str] = []
    for number, forgery in enumerate(forgeries):
        folder = copy_release(release, work / str(number))
        forgery.apply(folder)
        if not findings_of(folder, documents=False):
            names.append(forgery.name)
        shutil.rmtree(folder)
    return names


def undetected_documents(release: Path, forgeries: list[Forgery], work: Path) -> list[str]:
    """Return the changed documents that one check of all the changes does not name."""
    folder = copy_release(release, work)
    for forgery in forgeries:
        forgery.apply(folder)
    documents = {finding.partition(":")[0] for finding in findings_of(folder)}
    return [forgery.name for forgery in forgeries if forgery.name not in documents]


@pytest.mark.usefixtures("stored_results")
def test_sound_release_has_no_findings(sound_release: Path) -> None:
    assert findings_of(sound_release) == []


@pytest.mark.long
@pytest.mark.usefixtures("stored_results")
def test_changed_rows_are_found_where_the_release_contradicts_them(
    sound_release: Path, tmp_path: Path
) -> None:
    forgeries = [
        forgery for forgery in table_forgeries(sound_release, SEED) if is_verifiable(forgery.name)
    ]
    assert len(forgeries) >= 73
    assert undetected_changes(sound_release, spread_sample(forgeries, 6), tmp_path) == []


@pytest.mark.long
@pytest.mark.usefixtures("stored_results")
def test_changed_numbers_in_the_manifest_are_found(sound_release: Path, tmp_path: Path) -> None:
    forgeries = [
        forgery for forgery in manifest_forgeries(sound_release) if is_verifiable(forgery.name)
    ]
    assert len(forgeries) >= 40
    assert undetected_changes(sound_release, spread_sample(forgeries, 3), tmp_path) == []


@pytest.mark.long
@pytest.mark.usefixtures("stored_results")
def test_changed_documents_are_found_and_named(sound_release: Path, tmp_path: Path) -> None:
    forgeries = {forgery.name: forgery for forgery in document_forgeries(sound_release)}
    together = [forgeries.pop(name) for name in DOCUMENTS]
    # A change of another file may end the check before the next document is read.
    alone = [[forgery] for forgery in spread_sample([*forgeries.values()], 2)]
    for number, changes in enumerate([together, *alone]):
        assert undetected_documents(sound_release, changes, tmp_path / str(number)) == []


EXPECTED_FINDINGS = {
    "rows": {
        "definition_checks.is_valid": "is_valid: a new join has other values",
        "apps.actions_seen": "the shortcuts contain",
        "executions.questions.step": "questions: a new run of the shortcut has other values",
        "queries.text": "the template now writes",
        "queries.model": "model is another text, but None if computed again",
        "shortcuts.needs_input": "needs_input is",
        "shortcuts.actions.arguments.references.kind": "after parsing its actions again",
        "verdicts.reason": "the rule now says",
    },
    "manifest": {
        "funnel.enrich-shortcuts.rows.rejected": "but the reasons up to this stage add up to",
        "funnel.judge-given.received": "kept 16 objects, but wrote 15 rows of queries",
        "manifest.made.unknown": "manifest.json: contains the unknown key made.reviewed_by",
    },
}
"""Expected findings by change. Rows are derived again only if the manifest is sound."""


@pytest.mark.long
@pytest.mark.usefixtures("stored_results")
@pytest.mark.parametrize("part", EXPECTED_FINDINGS)
def test_findings_describe_the_change(sound_release: Path, tmp_path: Path, part: str) -> None:
    expected = EXPECTED_FINDINGS[part]
    all_forgeries = (*table_forgeries(sound_release, SEED), *manifest_forgeries(sound_release))
    forgeries = {forgery.name: forgery for forgery in all_forgeries}
    folder = copy_release(sound_release, tmp_path)
    for name in expected:  # an unknown key comes last, as resealing would drop it
        forgeries[name].apply(folder)
    findings = "\n".join(findings_of(folder, documents=False))
    assert [name for name, finding in expected.items() if finding not in findings] == []


def change_queries(folder: Path, change: Callable[[list[dict[str, object]]], None]) -> None:
    """Change the rows of one file of queries, and reseal the manifest."""
    file = next(
        release_file
        for release_file in read_manifest(folder).files
        if release_file.table == "queries" and release_file.rows
    )
    rows = pq.read_table(folder / file.path).to_pylist()
    change(rows)
    schema = load_table("queries").arrow_schema()
    pq.write_table(pa.Table.from_pylist(rows, schema), folder / file.path)
    seal(folder)


def swap_targets(rows: list[dict[str, object]]) -> None:
    """Swap the targets of two texts of one kind."""
    first = rows[0]
    second = next(row for row in rows if row["kind"] == first["kind"] and row is not first)
    first["target_id"], second["target_id"] = second["target_id"], first["target_id"]
    rows.sort(key=lambda row: (row["kind"], row["target_id"], row["query_id"]))


@pytest.mark.usefixtures("stored_results")
def test_swapped_template_texts_are_found(sound_release: Path, tmp_path: Path) -> None:
    folder = copy_release(sound_release, tmp_path)
    change_queries(folder, swap_targets)
    findings = "\n".join(findings_of(folder, documents=False))
    assert "the template now writes" in findings
    assert "query_id is" in findings


def build_small_release(workspace: Path) -> Path:
    return build([SHORTCUTS / "bread-timer.json"], workspace)


@pytest.mark.long
def test_release_of_other_code_is_not_derived_again(tmp_path: Path) -> None:
    folder = build_small_release(tmp_path)
    seal(folder, made=msgspec.structs.replace(read_manifest(folder).made, code=None))
    (folder / "FIGURES.md").write_text("# other figures\n", encoding="utf-8")
    seal(folder)
    assert findings_of(folder) == []
    process = benchloom("release", "check", folder)
    assert process.returncode == 0
    assert "written by another version of benchloom" in process.stdout


@pytest.mark.long
def test_check_states_whether_the_signature_is_valid(tmp_path: Path) -> None:
    minisign = pytest.importorskip("minisign")
    folder = build_small_release(tmp_path)
    assert "  not signed: there is no manifest.json.minisig" in check_output(folder)
    key_pair = minisign.KeyPair.generate()
    secret, public = tmp_path / "secret.key", tmp_path / "public.key"
    secret.write_bytes(bytes(key_pair.secret_key))
    public.write_bytes(bytes(key_pair.public_key))
    assert benchloom("release", "sign", folder, "--key", secret).returncode == 0
    assert "was not verified: pass the public key with --key FILE" in check_output(folder)
    assert "  signed: benchloom release 0.1.0 content:" in check_output(folder, "--key", public)
    path = folder / "manifest.json.minisig"
    digest = read_manifest(folder).content_digest
    path.write_text(path.read_text().replace(digest, "content:sha256:" + 64 * "1"))
    assert (
        "manifest.json.minisig is outdated: it belongs to benchloom release 0.1.0"
        in check_output(folder)
    )
    process = benchloom("release", "check", folder, "--json")
    assert "outdated" in json.loads(process.stdout)["signature"]


def check_output(folder: Path, *options: object) -> str:
    """Run `release check`, which must succeed, and return what it printed."""
    process = benchloom("release", "check", folder, *options)
    assert process.returncode == 0, process.stderr
    return process.stdout
