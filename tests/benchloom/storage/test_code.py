"""Tests of the code digest: any change of code that makes rows invalidates earlier results."""

import ast
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from benchloom.core.errors import RunError
from benchloom.storage import code as module
from benchloom.storage.code import (
    DISTRIBUTIONS,
    PACKAGES,
    code_digest,
    package_folder,
    release_code,
    stage_key,
)
from flows.stages.generate.run import run_template
from flows.stages.shortcuts import parse as parse_shortcuts
from tests.support.demo_world import SHORTCUTS
from tests.support.llm.world import plan_for, shortcuts_folder
from tests.support.sources import Source

FILES = (
    "benchloom/step.py",
    "prompts/ask.md",
    "scrapers/site.py",
    "flows/rebuild.py",
    "tables/shortcuts/dataset.yaml",
)
"""Files of some of our packages, and the definition of a table."""
OTHER = "code:sha256:" + "0" * 64
ROW_CODE = ("benchloom/", "parsers/", "prompts/", "scrapers/pages/", "scrapers/sites/")
"""Packages and folders whose code makes rows, documents or files of a release."""
OTHER_CODE = (
    "benchloom/evaluate/",
    "benchloom/release/publication/",
    "benchloom/release/review/",
    "benchloom/worlds/servers/",
    "prompts/endpoint/",
)
"""Folders within ROW_CODE whose code only serves, publishes, reviews or measures."""
fresh_code: Callable[[], str] = code_digest.__wrapped__
fresh_release_code: Callable[[], str] = release_code.__wrapped__


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in place of our packages, with one file in some of them."""
    for name in PACKAGES:
        (tmp_path / name).mkdir()
    for file_path in FILES:
        (tmp_path / file_path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file_path).write_text("one")
    monkeypatch.setattr(module, "package_folder", lambda name: tmp_path / name)
    monkeypatch.setattr(module, "tables_folder", lambda: tmp_path / "tables")
    return tmp_path


def test_code_digest_changes_with_every_file(code: Path) -> None:
    digests = {fresh_code()}
    for file_path in FILES:
        (code / file_path).write_text("other")
        digests.add(fresh_code())
    (code / "benchloom" / "new.py").write_text("")
    digests.add(fresh_code())
    (code / "benchloom" / "new.py").rename(code / "benchloom" / "newer.py")
    digests.add(fresh_code())
    assert len(digests) == len(FILES) + 3
    (code / "benchloom" / "__pycache__").mkdir()
    (code / "benchloom" / "__pycache__" / "step.pyc").write_bytes(b"made by Python")
    assert fresh_code() in digests


@pytest.mark.usefixtures("code")
def test_code_digest_changes_with_a_package_version(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fresh_code(), fresh_release_code()
    monkeypatch.setattr(module, "installed_version", lambda name: f"99 of {name}")
    assert fresh_code() != before[0]
    assert fresh_release_code() != before[1]


def test_release_code_excludes_commands_and_crawlers(code: Path) -> None:
    before = fresh_release_code()
    for file_path in FILES[2:4]:
        (code / file_path).write_text("other")
    assert fresh_release_code() == before
    (code / "tables" / "shortcuts" / "dataset.yaml").write_text("other")
    assert fresh_release_code() != before


def test_stage_key_depends_on_code_stage_and_inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [
        stage_key("reading", []),
        stage_key("reading", ["an input"]),
        stage_key("writing", []),
    ]
    assert stage_key("reading", []) == keys[0]
    monkeypatch.setattr(module, "code_digest", lambda: OTHER)
    assert len({*keys, stage_key("reading", [])}) == 4


def test_package_folders_are_installed_as_source() -> None:
    assert all((package_folder(name) / "__init__.py").is_file() for name in PACKAGES)
    with pytest.raises(RunError, match="not installed as source"):
        package_folder("nothing_of_ours")


def test_run_resumes_with_equal_code_and_restarts_with_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(shards: int) -> tuple[str, int]:
        """Make at most so many shards; return the stage folder and how many were missing."""
        stage = parse_shortcuts.prepare([SHORTCUTS], tmp_path, part_bytes=40_000)
        missing = [] if stage.complete() else stage.missing()
        for number in missing[:shards]:
            stage.shard_work()(number)
        if len(missing) <= shards:
            stage.finish()
        return stage.path.name, len(missing)

    first_name, missing = run(1)
    assert run(1) == (first_name, missing - 1)
    with monkeypatch.context() as patched:
        patched.setattr(module, "code_digest", lambda: OTHER)
        other_name, missing_of_other = run(missing)
        assert (other_name != first_name, missing_of_other) == (True, missing)
        assert run(missing) == (other_name, 0)
    assert run(missing) == (first_name, missing - 2)
    assert run(missing) == (first_name, 0)


def test_generated_rows_of_changed_code_are_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = plan_for(shortcuts_folder(tmp_path / "in", 4))
    first = run_template(plan, tmp_path / "out")
    stamp = (tmp_path / "out" / "queries.parquet").stat().st_mtime_ns
    assert run_template(plan, tmp_path / "out") == first
    assert (tmp_path / "out" / "queries.parquet").stat().st_mtime_ns == stamp
    monkeypatch.setattr(module, "code_digest", lambda: OTHER)
    run_template(plan, tmp_path / "out")
    assert (tmp_path / "out" / "queries.parquet").stat().st_mtime_ns > stamp


def test_code_digest_covers_every_distribution_that_makes_rows(sources: tuple[Source, ...]) -> None:
    distributions = packages_distributions()
    imported = {
        distributions[name][0].lower()
        for source in sources
        if source.path.startswith(ROW_CODE) and not source.path.startswith(OTHER_CODE)
        for name in _imported_packages(source)
        if name not in sys.stdlib_module_names and name not in PACKAGES
    }
    # MarkupSafe escapes for jinja2; bpe-openai counts tokens of prompts in an endpoint's folder.
    assert imported | {"markupsafe", "bpe-openai"} == set(DISTRIBUTIONS)


def _imported_packages(source: Source) -> Iterator[str]:
    for node in source.nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.split(".")[0]
