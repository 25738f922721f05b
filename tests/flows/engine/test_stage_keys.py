"""What decides the rows of each stage, and that a run goes on with the code it began with."""

import shutil
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from benchloom.code_digests import stage_code
from benchloom.code_digests.closure import Code
from benchloom.code_digests.packages import PACKAGES
from benchloom.code_digests.stage_code import DECIDING, StageCode
from benchloom.tables import load_table
from flows.stages.generate.settings import run_template
from flows.stages.shortcuts import parse as parse_shortcuts
from tests.stage_keys import closures
from tests.support.demo_world import SHORTCUTS
from tests.support.llm.world import plan_for, shortcuts_folder

ROOT = Path(__file__).parents[3]
DECIDE_NOTHING = {"msgspec", "pyarrow"}
"""They read and write what they are told; their formats are standards."""


REACHED = {
    "captured-listings": {
        "scrapers.sites.routinehub",
        "benchloom.normalise.redaction.finders.phones",
    },
    "convert-multiwoz": {"parsers.dialogues.sources.multiwoz.acts"},
    "convert-sgd": {"parsers.dialogues.tracing.memory", "benchloom.formats.nestful"},
    "enrich-shortcuts": {"benchloom.normalise.redaction.finders.emails"},
    "evaluation-split": {"parsers.shortcuts.wording.filled_summaries"},
    "fingerprint-shortcuts": {"benchloom.normalise.shortcuts.fingerprints"},
    "generate-query": {"prompts.steps.query", "prompts.checks.language", "prompts.talks.reply"},
    "generated": {"flows.stages.generate.gather"},
    "import-nestful": {"benchloom.foreign.labels", "benchloom.examples.findings"},
    "judge": {"prompts.checks.length"},
    "judge-given": {"prompts.checks.length"},
    "normalise-definitions": {"benchloom.normalise.definitions.control_definitions"},
    "normalise-plans": {"benchloom.plans.merging"},
    "normalise-shortcuts": {"benchloom.withholding.files"},
    "parse-definitions": {"parsers.definitions.toolkit.wire"},
    "parse-listings": {"scrapers.sites.sspai", "scrapers.pages.markup_probe"},
    "parse-shortcuts": {"parsers.property_lists.fast_xml", "parsers.lzfse_blocks"},
    "read-captures": {"scrapers.sites.sspai", "scrapers.icloud.records"},
    "review": {"prompts.checks.length", "benchloom.normalise.redaction.finders.emails"},
    "tasks": {"benchloom.worlds.proving.ladder", "benchloom.worlds.suites.everyday.apps.bank"},
}
NEVER = (
    "benchloom.release.",
    "benchloom.evaluate.",
    "benchloom.workspace",
    "flows.commands.",
    "flows.configuration.",
    "flows.engine.",
    "prompts.endpoint.client",
    "prompts.ledger.budget",
    "scrapers.http.",
)
ONLY_IN = {
    "parsers.shortcuts.": {"parse-shortcuts", "enrich-shortcuts", "evaluation-split"},
    "parsers.definitions.": {"parse-definitions"},
    "parsers.dialogues.sources.multiwoz": {"convert-multiwoz", "tasks"},
    "parsers.dialogues.": {"convert-multiwoz", "convert-sgd", "tasks"},
    "scrapers.": {"captured-listings", "parse-listings", "read-captures"},
    "prompts.": {"judge", "judge-given", "generated", "review"},
    "benchloom.plans.": {"convert-multiwoz", "convert-sgd", "import", "normalise-plans", "tasks"},
}


def test_every_stage_reaches_what_makes_its_rows() -> None:
    found = closures()
    alike = ("generate-", "import-")
    assert {stage for stage in found if not stage.startswith(alike)} <= REACHED.keys()
    for stage, modules in REACHED.items():
        assert modules <= found[stage].modules(), stage


def test_no_stage_reaches_what_makes_none() -> None:
    for stage, closure in closures().items():
        for module in sorted(closure.modules()):
            assert not module.startswith(NEVER), f"{stage} includes {module}"
            for part, stages in ONLY_IN.items():
                if module.startswith(part) and not stage.startswith("generate-"):
                    kind = "import" if stage.startswith("import-") else stage
                    assert kind in stages, f"{stage} includes {module}"


def test_a_step_is_no_part_of_the_others() -> None:
    found = closures()
    assert "prompts.steps.nested" not in found["generate-query"].modules()
    assert "prompts.steps.nested" in found["generate-nested"].modules()


def test_every_foreign_package_decides_rows_or_is_known_not_to() -> None:
    foreign = {name.split(".")[0] for found in closures().values() for name in found.foreign}
    assert foreign - set(sys.stdlib_module_names) - DECIDE_NOTHING == DECIDING.keys() & foreign


def test_a_key_holds_tables_packages_inputs_and_what_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code = StageCode(
        stage="reading",
        module="parsers.shortcuts.containers",
        tables=("rejected",),
        work=("read_root",),
    )
    given = (parse_shortcuts.every_object,)
    keys = [
        code.key([]),
        code.key(["an input"]),
        code.key([], given=given),
        replace(code, stage="writing").key([]),
        replace(code, tables=("listings",)).key([]),
    ]
    assert code.key([]) == keys[0]
    monkeypatch.setattr(stage_code, "installed_version", lambda name: f"99 of {name}")
    assert len({*keys, code.key([])}) == 6


def test_words_about_a_table_are_no_part_of_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    code = StageCode(
        stage="one", module="benchloom.identity", tables=("rejected",), work=("hex_of",)
    )
    before = code.digest()
    table = load_table("rejected")
    for changed, same in (
        (replace(table, description="Otherwise", licence="none"), True),
        (
            replace(
                table, columns=(replace(table.columns[0], description="x"), *table.columns[1:])
            ),
            True,
        ),
        (
            replace(table, columns=(replace(table.columns[0], nullable=True), *table.columns[1:])),
            False,
        ),
        (replace(table, sort=table.sort[::-1]), False),
    ):
        monkeypatch.setattr(stage_code, "load_table", lambda _, found=changed: found)
        assert (code.digest() == before) is same


def test_a_run_goes_on_with_its_own_code_and_starts_afresh_with_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy"
    for name in PACKAGES:
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))

    def run(shards: int) -> tuple[str, int]:
        """Make some shards with the code of the copy: the folder, and how many were missing."""
        code = Code({name: copy / name for name in PACKAGES})
        monkeypatch.setattr(stage_code, "own_code", lambda: code)
        stage = parse_shortcuts.prepare([SHORTCUTS], tmp_path / "parsed", shard_bytes=40_000)
        assert stage.count == 10
        missing = [] if stage.complete() else stage.missing()
        for number in missing[:shards]:
            stage.work(number)
        if len(missing) <= shards:
            stage.finish()
        return stage.folder.name, len(missing)

    def change(file: str, old: str, new: str) -> None:
        text = (copy / file).read_text()
        assert old in text
        (copy / file).write_text(text.replace(old, new, 1))

    first, missing = run(1)
    assert missing == 10
    change("parsers/shortcuts/record.py", "\ndef ", "\n# A word more.\ndef ")
    change("parsers/lzfse_blocks.py", "\ndef ", "\nUNUSED = 1\n\n\ndef ")
    change("benchloom/release/building.py", "return ", "return not ")
    assert run(1) == (first, 9)

    change("parsers/shortcuts/tokens.py", "return None", "return 0 or None")
    other, missing = run(10)
    assert (other != first, missing) == (True, 10)
    assert run(10) == (other, 0)
    change("parsers/shortcuts/tokens.py", "return 0 or None", "return None")
    assert run(10) == (first, 8)
    assert run(10) == (first, 0)


def test_generated_chunks_of_other_code_are_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = plan_for(shortcuts_folder(tmp_path / "in", 4), chunk_rows=2)
    first = run_template(plan, tmp_path / "out")
    stamp = (tmp_path / "out" / "queries.parquet").stat().st_mtime_ns
    assert run_template(plan, tmp_path / "out") == first
    assert (tmp_path / "out" / "queries.parquet").stat().st_mtime_ns == stamp
    monkeypatch.setattr("flows.stages.generate.plan.WITHOUT", ())
    run_template(plan, tmp_path / "out")
    assert (tmp_path / "out" / "queries.parquet").stat().st_mtime_ns > stamp
