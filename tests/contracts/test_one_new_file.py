"""Check that adding a member means adding one file, which passes the suite of its kind.

The files are in `tests/new_members`. Each is copied alone into a new package that joins its kind.
Then the members that people add most often are put into a copy of the tree with their samples, and
the tests of the copy run: no other file has to be edited for a new member.
"""

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner

from benchloom.core.errors import GateError
from benchloom.core.kinds import Kind
from benchloom.core.records import Rejected
from benchloom.normalise.redaction import FINDERS, redact_text
from benchloom.normalise.redaction.finders import TextFinder
from benchloom.release import ReleaseTable, build_release
from benchloom.release.documents import DOCUMENTS
from benchloom.release.gates import GATES
from benchloom.release.publication.target import TARGETS
from benchloom.release.sections import SECTIONS
from benchloom.storage.tables import write_table
from demo.replica.pages import RESPONDERS
from flows.cli import build_app
from flows.commands import COMMANDS
from flows.configuration.keys import convert_value
from flows.configuration.table import options_of
from flows.doctor import LOOKS
from flows.run.runner import run_stage
from flows.stages.definitions import parse as parse_definitions
from flows.stages.release import release_stages
from parsers.definitions import DEFINITION_FORMATS
from parsers.dialogues.sources import DIALOGUE_SOURCES
from scrapers.sites import SITES
from tests.contracts import (
    test_commands,
    test_definition_formats,
    test_dialogue_sources,
    test_documents,
    test_gates,
    test_looks,
    test_redaction_finders,
    test_sections,
    test_sites,
    test_targets,
)
from tests.support.installed_wheel import ROOT, copy_tree
from tests.support.python import python
from tests.support.replica_crawls import SITE_VARIABLE, make_whole_crawl
from tests.support.samples.dialogues import dialogue_files, sample
from tests.support.samples.redaction import plain
from tests.support.samples.small_release import small_release, small_stage
from tests.support.soak import SOAK
from tests.support.stages import convert

NEW_MEMBERS = Path(__file__).parents[1] / "new_members"
PACKAGE_NUMBERS = itertools.count()
Join = Callable[[Kind[Any], str | Path], str]


@pytest.fixture
def join(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Join]:
    """Yield a function that registers a file of `new_members` and returns the module's name."""
    folder = tmp_path / "packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    with ExitStack() as stack:

        def add_member(kind: Kind[Any], file: str | Path) -> str:
            package = f"newcomer_{next(PACKAGE_NUMBERS)}"
            path = NEW_MEMBERS / f"{file}.py"
            module = path.stem.partition("_")[2] or path.stem
            (folder / package).mkdir()
            (folder / package / "__init__.py").touch()
            shutil.copy(path, folder / package / f"{module}.py")
            before = kind.names()
            stack.enter_context(kind.joined(package))
            assert set(kind.names()) > set(before)
            return module

        yield add_member
    for name in [name for name in sys.modules if name.startswith("newcomer_")]:
        del sys.modules[name]


def new_site(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the script that adds a site to a copy of the tree."""
    script = folder / "scripts" / "new-site"
    return subprocess.run([script, *words], capture_output=True, text=True, check=False)


def test_site_script_adds_a_site_that_passes_its_suite(join: Join, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    shutil.copytree(ROOT / "scripts", tree / "scripts")
    shutil.copytree(NEW_MEMBERS, tree / "tests" / "new_members")
    sites, pages = tree / "scrapers" / "sites", tree / "demo" / "replica" / "pages"
    sites.mkdir(parents=True)
    pages.mkdir(parents=True)
    for words in ((), ("Fern",), ("fern-wood",), ("../fern",), ("7fern",)):
        refused = new_site(tree, *words)
        assert (refused.returncode, refused.stderr[:6]) == (2, "usage:")
    added = new_site(tree, "fernwood")
    assert added.returncode == 0, added.stderr
    assert "-k fernwood" in added.stdout
    second_run = new_site(tree, "fernwood")
    assert second_run.returncode == 2
    assert "scrapers/sites/fernwood.py: this file exists already" in second_run.stderr
    name = join(SITES, sites / "fernwood")
    join(RESPONDERS, pages / "fernwood")
    assert convert_value("crawl.sites", ["fernwood"]) == (name,)
    crawl = make_whole_crawl(tmp_path / "captures", [name])
    for claim in test_sites.SUITE:
        claim(SITES.find(name), crawl)
    assert not crawl.download.faults


def test_new_definition_format_passes_its_suite(join: Join, tmp_path: Path) -> None:
    name = join(DEFINITION_FORMATS, "definitions_leaflets")
    data = (NEW_MEMBERS / "leaflets.leaflet").read_bytes()
    case = test_definition_formats.Case(name, "garden.leaflet", data)
    for claim in test_definition_formats.SUITE:
        claim(case)
    app = tmp_path / "Payload" / "Garden.app"
    app.mkdir(parents=True)
    (app / "garden.leaflet").write_bytes(data)
    (app / "Info.plist").write_bytes(
        b'<?xml version="1.0"?><plist><dict><key>CFBundleIdentifier</key>'
        b"<string>org.example.garden</string></dict></plist>"
    )
    stage = parse_definitions.prepare([tmp_path / "Payload"], tmp_path / "out")
    mark = run_stage(stage)
    assert mark.rows["api_definitions"] == 2


@pytest.mark.long
def test_new_dialogue_source_passes_its_suite(join: Join, tmp_path: Path) -> None:
    talks = tmp_path / "talks"
    for file in (*dialogue_files(sample("sgd")), *sample("sgd").glob("*/schema.json")):
        talk_path = talks / file.parent.name / file.name
        talk_path.parent.mkdir(parents=True, exist_ok=True)
        records = json.loads(file.read_bytes())
        lines = file.name != "schema.json"
        talk_path.write_text("\n".join(map(json.dumps, records)) if lines else json.dumps(records))
    name = join(DIALOGUE_SOURCES, "source_parlour")
    for claim in test_dialogue_sources.SUITE:
        work = tmp_path / claim.__name__
        work.mkdir()
        claim(test_dialogue_sources.Case(name, talks, work))
    assert list(options_of(DIALOGUE_SOURCES.find(name)).model_fields) == ["mode", "drop"]
    converted = tmp_path / "converted"
    convert(name, [talks], converted)
    release = release_stages([converted], tmp_path / "space" / "releases")
    assert "| parlour | Talks of the parlour | CC0-1.0 |" in (release / "README.md").read_text()


def test_new_gate_passes_its_suite(join: Join, tmp_path: Path) -> None:
    stage = tmp_path / "stage"
    mark = small_stage(stage, 1)
    write_table("rejected", [Rejected("parse", "file-000", "broken", " ")], stage / "r.parquet")
    shutil.move(stage / "r.parquet", stage / "rejected.parquet")
    forged = build_release([ReleaseTable("rejected", stage)], [mark], tmp_path / "forged")
    gate = GATES.find(join(GATES, "gate_messages"))
    sound_release = small_release(tmp_path)
    for claim in test_gates.SUITE:
        claim(gate, sound_release)
    test_gates.reports_the_fault(gate, forged, "rejected: file-000: no message")
    with pytest.raises(GateError):
        build_release([ReleaseTable("rejected", stage)], [mark], tmp_path / "again")


def badge_number(chance: Random) -> str:
    return f"BADGE-{chance.randrange(10**6):06d}"


def test_new_finder_covers_its_texts(join: Join) -> None:
    before = redact_text("my badge is BADGE-123457").text
    name = join(FINDERS, "finder_badge_numbers")
    test_redaction_finders.covers_the_secrets_of_its_texts(
        FINDERS.only(TextFinder)[name], [plain("badge_number", badge_number)]
    )
    assert before == "my badge is BADGE-123457"


def test_new_target_accepts_a_release(join: Join, tmp_path: Path) -> None:
    join(TARGETS, "target_shelf")
    test_targets.publishes_a_release_once(f"shelf://{tmp_path / 'shelf'}", tmp_path)


def test_new_document_passes_its_suite(join: Join, tmp_path: Path) -> None:
    name = join(DOCUMENTS, "document_counts")
    release = small_release(tmp_path)
    assert (release / "COUNTS.md").read_text() == "rejected: 3\n"
    for claim in test_documents.SUITE:
        claim(DOCUMENTS.find(name), release)


def test_new_section_passes_its_suite(join: Join, tmp_path: Path) -> None:
    name = join(SECTIONS, "section_rejected_messages")
    tables = test_sections.described_tables(tmp_path)
    for claim in test_sections.SUITE:
        claim(SECTIONS.find(name), tables)


def test_new_look_passes_its_suite(join: Join, tmp_path: Path) -> None:
    name = join(LOOKS, "look_kettle")
    for claim in test_looks.SUITE:
        claim(LOOKS.find(name), tmp_path)
    doctor_output = CliRunner().invoke(build_app(), ["doctor", "--workspace", str(tmp_path)]).output
    assert "put the kettle on" in doctor_output


def test_new_command_passes_its_suite(join: Join) -> None:
    name = join(COMMANDS, "command_greet")
    for claim in test_commands.SUITE:
        claim(COMMANDS.find(name))
    assert CliRunner().invoke(build_app(), ["greet"]).output == "hello\n"


ADDED = {
    "site_acorns.py": "scrapers/sites/acorns.py",
    "pages_acorns.py": "demo/replica/pages/acorns.py",
    "gate_messages.py": "benchloom/release/gates/messages.py",
    "format_outline.py": "benchloom/exchange/formats/outline.py",
    "format_chits.py": "benchloom/exchange/formats/chits.py",
    "chits.jsonl": "tests/data/formats/chits.jsonl",
    "definitions_leaflets.py": "parsers/definitions/leaflets.py",
    "leaflets.leaflet": "demo/data/definitions/leaflets.leaflet",
    "step_motto.py": "prompts/steps/motto.py",
    "sample_motto.py": "tests/prompts/samples/motto.py",
    "check_shouting.py": "prompts/checks/shouting.py",
    "shouting.yaml": "prompts/checks/shouting.yaml",
    "app_almanac.py": "benchloom/worlds/everyday/apps/almanac.py",
}
"""New members and samples, and where a contributor puts them; no other file changes."""
AFFECTED_TESTS = (
    "tests/benchloom/exchange/formats/test_foreign_samples.py",
    "tests/contracts/test_apps.py",
    "tests/contracts/test_checks.py",
    "tests/contracts/test_definition_formats.py",
    "tests/contracts/test_folders.py",
    "tests/contracts/test_formats.py",
    "tests/contracts/test_gates.py",
    "tests/contracts/test_sites.py",
    "tests/contracts/test_steps.py",
    "tests/docs/test_named_things.py",
    "tests/docs/test_rooms.py",
    "tests/flows/commands/test_help.py::test_help_page_has_two_examples_and_fits_a_screen",
    "tests/flows/commands/test_known_names.py",
    "tests/prompts/checks/test_rules.py",
)
"""Tests that name, list or count members of these kinds; the suite of sites crawls the new site.

Tests that read a crawl of all sites run in `make soak` only.
"""
NEW_NAMES = {"acorns", "almanac", "chits", "leaflets", "messages", "motto", "outline", "shouting"}
SELECTION = " or ".join(
    ["not (test_contract or test_apps)", *sorted(NEW_NAMES), "every_id", "six_tools", "strict"]
)
"""Selects the tests of new members: they cannot change the 1,500 results of other members."""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Copy the tree with the new members and with its bytecode, which takes 8 s to compile."""
    folder = copy_tree(tmp_path / "tree", ignored=("*.pyc.*",))
    for name in (".ci", ".github"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(ROOT / ".dockerignore", folder)
    for source, target in ADDED.items():
        assert not (folder / target).exists()
        shutil.copy(NEW_MEMBERS / source, folder / target)
    return folder


def run_tests(tree: Path, *words: str, **variables: str) -> str:
    """Run the tests of a copy except this module, which would add the members once more."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    here = Path(__file__).relative_to(ROOT)
    options = ("-q", "-p", "no:cacheprovider", "--tb=short", f"--ignore={here}")
    words = (f"--basetemp={tree.parent / 'temporary'}", *options, *words)
    environment |= {"PYTHONPATH": str(tree)} | variables
    return python("-m", "pytest", *words, cwd=tree, env=environment).stdout


def test_new_gate_has_at_most_twelve_lines() -> None:
    assert len((NEW_MEMBERS / "gate_messages.py").read_text().splitlines()) <= 12


@pytest.mark.long
def test_suites_pass_with_new_members_in_the_tree(tree: Path) -> None:
    quick = "not long and not real_data"
    options = ("-n", "0", "-vv", "-m", quick, "-k", SELECTION)
    output = run_tests(tree, *options, *AFFECTED_TESTS, **{SITE_VARIABLE: "acorns"})
    contracts = set(re.findall(r"::test_contract\[([a-z]+)[-.]", output))
    assert contracts >= NEW_NAMES
    if SOAK:
        run_tests(tree, "-n", "2", "--dist", "loadgroup", "--no-loadscope-reorder", "-m", quick)


def test_every_new_member_is_tested() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    names = [path.stem for path in NEW_MEMBERS.glob("[a-z]*.py")]
    assert all(f'"{name}"' in text or f'"{name}.py"' in text for name in names)
