"""From `init` to `publish`, every export and the explorer, on one small workspace."""

import json
import plistlib
import shutil
from pathlib import Path
from typing import Any

import httpx
import pytest

from benchloom.evaluate.benchmarks import BENCHMARKS
from benchloom.exchange.formats import FORMATS, Reading, Writing
from benchloom.release import read_manifest
from demo.drafts import Draft
from tests.support.commands import benchloom
from tests.support.demo_world import DEMO
from tests.support.samples.definitions import toolkit_database
from tests.support.stranger import Stranger

pytestmark = pytest.mark.slow
RELEASE = Path("workspace/releases/0.1.0")
NEEDS_MORE = {
    "api-bank": "audits API-Bank's own records, which the walk over real archives has",
    "shortcut-effects": "audits tasks of kind shortcut, of which the first release has none",
    "nestful": "takes functions, which the walk over real archives has",
}
"""Benchmarks whose gold is no release."""


def bakery() -> bytes:
    """A shortcut that calls what the ToolKit database defines, in a menu: for the evaluation."""
    draft = Draft("Bake")
    draft.control("choosefrommenu", "G", 0, WFMenuPrompt="Which?", WFMenuItems=["Plain", "Iced"])
    draft.control("choosefrommenu", "G", 1, WFMenuItemTitle="Plain")
    draft.add("org.example.bakery.BakeCakeIntent", flavour="lemon", weight=2)
    draft.control("choosefrommenu", "G", 1, WFMenuItemTitle="Iced")
    draft.add("org.example.bakery.BakeCakeIntent", flavour="lemon", weight=3, iced=True)
    draft.control("choosefrommenu", "G", 2)
    return plistlib.dumps(draft.build())


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory, prefect_url: str) -> Stranger:
    """Somebody who has rebuilt once: shortcuts, a ToolKit database alone beside them, dialogues."""
    folder = tmp_path_factory.mktemp("stranger")
    (folder / "shortcuts").mkdir()
    (folder / "shortcuts" / "bake.shortcut").write_bytes(bakery())
    (folder / "Tools-active.sqlite").write_bytes(toolkit_database())
    shutil.copytree(DEMO / "sgd", folder / "sgd")
    user = Stranger(folder, folder / "home", prefect_url)
    user.types(
        *("init", "--shortcuts", "shortcuts", "--definitions", "Tools-active.sqlite"),
        *("--dialogues", "sgd=sgd", "--publish", "published"),
    )
    user.types("config", "check")
    user.types("rebuild")
    return user


def test_the_release_is_in_order_and_published(stranger: Stranger) -> None:
    checked = stranger.asks("release", "check")
    assert checked["rows"]["shortcuts"] == 1
    assert checked["rows"]["planning_paths"] > 0
    assert stranger.asks("release", "list")["releases"][0]["version"] == "0.1.0"
    stranger.types("release", "check", "published/0.1.0")
    stranger.types("release", "publish", "--to", "elsewhere")
    assert (
        read_manifest(stranger.folder / "elsewhere/0.1.0").content_digest
        == (checked["content_digest"])
    )
    assert "no release before 0.1.0" in stranger.types("release", "diff", code=2)


def test_a_step_is_run_alone_over_the_newest_stage(stranger: Stranger) -> None:
    said = stranger.types(
        *("generate", "category", "--in", "workspace/normalised", "--out", "texts"),
        *("--writer", "template"),
        or_code=1,  # the one shortcut may have no template
    )
    assert "reading workspace/normalised/evaluation-" in said


@pytest.mark.parametrize(
    "name", [name for name, member in FORMATS.only(Writing).items() if not member.pairs]
)
def test_every_format_is_exported_and_read_back(
    stranger: Stranger, name: str, tmp_path: Path
) -> None:
    out, back = tmp_path / "exported", tmp_path / "read"
    words = ("release", "export", "--format", name, "--out", out, "--all", "--templates")
    done = answer(*words, cwd=stranger.folder)
    assert done["examples"] > 0
    if isinstance(FORMATS.find(name), Reading):
        assert answer("import", name, out, "--out", back)["rows"]["planning_paths"] > 0


def answer(*words: object, cwd: Path | None = None) -> Any:
    """JSON that a command prints; it runs in a process that has imported its modules already."""
    done = benchloom(*words, "--json", cwd=cwd)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    "name", [benchmark for benchmark in BENCHMARKS.names() if benchmark not in NEEDS_MORE]
)
def test_every_scorer_is_proved_on_the_release(stranger: Stranger, name: str) -> None:
    said = stranger.types("evaluate", "audit", name, "--limit", "20")
    assert "gold (right" in said


def test_the_explorer_starts_answers_and_ends(stranger: Stranger) -> None:
    with stranger.explores("--port", "0") as address, httpx.Client() as browser:
        first = browser.get(address, follow_redirects=True)
        assert first.status_code == 200
        assert "0.1.0" in first.text
