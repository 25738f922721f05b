"""`release check` rewrites the files that a release derives from its tables, and compares them.

A forger changes one value and seals the manifest with the right digests. Whatever the release
itself tells better is found; what only inputs, servers or models could tell is listed below.
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
"""Without the documents, which name the digest of each table: a careful forger writes them anew."""

DOCUMENTS = ("README.md", "FIGURES.md", "TABLES.md", "croissant.json", "report.html")
NOT_TOLD = {
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
"""Changes that may stay unseen, and what alone would tell: never the release itself."""


def is_told(name: str) -> bool:
    return not any(fnmatch(name, pattern) for pattern in NOT_TOLD)


@pytest.fixture(scope="module")
def sound(demo_release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's release as this checkout would have made it: a wheel has other packages beside."""
    folder = shutil.copytree(demo_release, tmp_path_factory.mktemp("sound") / "0.1.0")
    provenance = msgspec.structs.replace(read_manifest(folder).made, code=release_code())
    seal(folder, made=provenance)
    return folder


@pytest.fixture(scope="module")
def remembered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Share one store of valid results and drawn plots among the checks of this module."""
    folder = tmp_path_factory.mktemp("remembered")
    with remembering(folder):
        yield


def findings_of(folder: Path, *, documents: bool = True) -> list[str]:
    again = REPRODUCTION_GATES if documents else ROWS_GATES
    try:
        check_release(folder, FURTHER_GATES, again=again)
    except GateError as error:
        return list(error.findings)
    return []


def copy_of(release: Path, place: Path) -> Path:
    return shutil.copytree(release, place / release.name)


def chosen(forgeries: list[Forgery], few: int) -> list[Forgery]:
    """Some evenly apart, all of them where time is not an object."""
    count = min(len(forgeries), samples(few, len(forgeries)))
    return [forgeries[at * len(forgeries) // count] for at in range(count)]


def missed(sound: Path, forgeries: list[Forgery], place: Path) -> list[str]:
    """The names of changes that a check of the rows does not find."""
    names: list[str] = []
    for number, forgery in enumerate(forgeries):
        folder = copy_of(sound, place / str(number))
        forgery.apply(folder)
        if not findings_of(folder, documents=False):
            names.append(forgery.name)
        shutil.rmtree(folder)
    return names


def documents_not_named(sound: Path, forgeries: list[Forgery], place: Path) -> list[str]:
    """The names of changed documents that one check of all the changes does not name."""
    folder = copy_of(sound, place)
    for forgery in forgeries:
        forgery.apply(folder)
    documents = {finding.partition(":")[0] for finding in findings_of(folder)}
    return [forgery.name for forgery in forgeries if forgery.name not in documents]


@pytest.mark.usefixtures("remembered")
def test_a_sound_release_is_written_again_as_it_is(sound: Path) -> None:
    assert findings_of(sound) == []


@pytest.mark.long
@pytest.mark.usefixtures("remembered")
def test_changed_rows_are_found_where_the_release_tells_better(sound: Path, tmp_path: Path) -> None:
    forgeries = [forgery for forgery in table_forgeries(sound, SEED) if is_told(forgery.name)]
    assert len(forgeries) >= 73
    assert missed(sound, chosen(forgeries, 6), tmp_path) == []


@pytest.mark.long
@pytest.mark.usefixtures("remembered")
def test_changed_numbers_of_the_manifest_are_found(sound: Path, tmp_path: Path) -> None:
    forgeries = [forgery for forgery in manifest_forgeries(sound) if is_told(forgery.name)]
    assert len(forgeries) >= 40
    assert missed(sound, chosen(forgeries, 3), tmp_path) == []


@pytest.mark.long
@pytest.mark.usefixtures("remembered")
def test_changed_documents_are_found_and_named(sound: Path, tmp_path: Path) -> None:
    forgeries = {forgery.name: forgery for forgery in document_forgeries(sound)}
    together = [forgeries.pop(name) for name in DOCUMENTS]
    # A change of one of the others may end the check before it comes to the next document.
    alone = [[forgery] for forgery in chosen([*forgeries.values()], 2)]
    for number, changes in enumerate([together, *alone]):
        assert documents_not_named(sound, changes, tmp_path / str(number)) == []


NAMED = {
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
"""Rows are derived again only in a release whose manifest is sound."""


@pytest.mark.long
@pytest.mark.usefixtures("remembered")
@pytest.mark.parametrize("part", NAMED)
def test_a_finding_says_what_is_wrong(sound: Path, tmp_path: Path, part: str) -> None:
    named = NAMED[part]
    every = (*table_forgeries(sound, SEED), *manifest_forgeries(sound))
    forgeries = {forgery.name: forgery for forgery in every}
    folder = copy_of(sound, tmp_path)
    for name in named:  # an unknown key comes last: sealing again would drop it
        forgeries[name].apply(folder)
    findings = "\n".join(findings_of(folder, documents=False))
    assert [name for name, finding in named.items() if finding not in findings] == []


def changed_queries(folder: Path, change: Callable[[list[dict[str, object]]], None]) -> None:
    """Change the texts of one file of queries, and seal."""
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


def swapped(rows: list[dict[str, object]]) -> None:
    """The texts of two shortcuts in each other's place, with all that is said about them."""
    first = rows[0]
    second = next(row for row in rows if row["kind"] == first["kind"] and row is not first)
    first["target_id"], second["target_id"] = second["target_id"], first["target_id"]
    rows.sort(key=lambda row: (row["kind"], row["target_id"], row["query_id"]))


@pytest.mark.usefixtures("remembered")
def test_a_template_text_in_the_place_of_another_is_found(sound: Path, tmp_path: Path) -> None:
    folder = copy_of(sound, tmp_path)
    changed_queries(folder, swapped)
    findings = "\n".join(findings_of(folder, documents=False))
    assert "the template now writes" in findings
    assert "query_id is" in findings


def small_release(place: Path) -> Path:
    return build([SHORTCUTS / "bread-timer.json"], place)


@pytest.mark.long
def test_a_release_of_other_code_is_not_written_again(tmp_path: Path) -> None:
    folder = small_release(tmp_path)
    seal(folder, made=msgspec.structs.replace(read_manifest(folder).made, code=None))
    (folder / "FIGURES.md").write_text("# other figures\n", encoding="utf-8")
    seal(folder)
    assert findings_of(folder) == []
    process = benchloom("release", "check", folder)
    assert process.returncode == 0
    assert "written by another version of benchloom" in process.stdout


@pytest.mark.long
def test_closing_lines_say_what_is_known_of_the_signature(tmp_path: Path) -> None:
    minisign = pytest.importorskip("minisign")
    folder = small_release(tmp_path)
    assert "  not signed: there is no manifest.json.minisig" in check_lines(folder)
    pair = minisign.KeyPair.generate()
    secret, public = tmp_path / "secret.key", tmp_path / "public.key"
    secret.write_bytes(bytes(pair.secret_key))
    public.write_bytes(bytes(pair.public_key))
    assert benchloom("release", "sign", folder, "--key", secret).returncode == 0
    assert "was not verified: pass the public key with --key FILE" in check_lines(folder)
    assert "  signed: benchloom release 0.1.0 content:" in check_lines(folder, "--key", public)
    path = folder / "manifest.json.minisig"
    digest = read_manifest(folder).content_digest
    path.write_text(path.read_text().replace(digest, "content:sha256:" + 64 * "1"))
    assert (
        "manifest.json.minisig is outdated: it belongs to benchloom release 0.1.0"
        in check_lines(folder)
    )
    process = benchloom("release", "check", folder, "--json")
    assert "outdated" in json.loads(process.stdout)["signature"]


def check_lines(folder: Path, *options: object) -> str:
    process = benchloom("release", "check", folder, *options)
    assert process.returncode == 0, process.stderr
    return process.stdout
