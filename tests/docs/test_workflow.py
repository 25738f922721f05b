"""Check that the CI workflow for a public host runs what `.ci/run` runs and names no machine."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / ".github" / "workflows" / "check.yml"
MACHINE_PATHS = re.compile(
    r"(?<![\w$}./-])/(?:home|root|tmp|opt|usr|var|mnt|work)\b|localhost|127\.0"
)


@pytest.fixture
def workflow() -> dict[str, Any]:
    loaded = yaml.load(FILE.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)  # noqa: S506  BaseLoader makes only texts
    assert isinstance(loaded, dict)
    return loaded


def steps(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def test_workflow_has_only_known_keys(workflow: dict[str, Any]) -> None:
    assert set(workflow) == {"name", "on", "permissions", "concurrency", "env", "jobs"}
    assert workflow["permissions"] == {"contents": "read"}
    assert set(workflow["jobs"]) == {"test", "demo", "docs", "wheel"}
    for job in workflow["jobs"].values():
        assert set(job) <= {"name", "runs-on", "timeout-minutes", "strategy", "steps"}
        assert int(job["timeout-minutes"]) <= 60
        assert job["steps"][0]["uses"].startswith("actions/checkout@")
    for step in steps(workflow):
        assert set(step) <= {"name", "uses", "with", "run"}
        assert ("uses" in step) != ("run" in step)


def test_actions_are_pinned_by_major_version(workflow: dict[str, Any]) -> None:
    used = [step["uses"] for step in steps(workflow) if "uses" in step]
    assert used
    assert [name for name in used if not re.fullmatch(r"actions/[a-z-]+@v\d+", name)] == []


def test_workflow_tests_the_oldest_and_a_newer_python(workflow: dict[str, Any]) -> None:
    metadata = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    python_versions = workflow["jobs"]["test"]["strategy"]["matrix"]["python"]
    assert f">={python_versions[0]}" == metadata["project"]["requires-python"]
    assert f"Python {', '.join(python_versions[:1])}" in (ROOT / "README.md").read_text(
        encoding="utf-8"
    )
    assert tuple(map(int, python_versions[-1].split("."))) > tuple(
        map(int, python_versions[0].split("."))
    )


def test_workflow_runs_only_existing_targets_and_scripts(workflow: dict[str, Any]) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    commands = "\n".join(step["run"] for step in steps(workflow) if "run" in step)
    make_targets = re.findall(r"\bmake ([a-z-]+)", commands)
    assert {"test", "demo", "docs"} <= set(make_targets) <= targets
    for script in re.findall(r"\./(scripts/\S+)", commands):
        assert (ROOT / script).is_file()


def test_workflow_names_no_machine() -> None:
    assert MACHINE_PATHS.findall(FILE.read_text(encoding="utf-8")) == []
    assert MACHINE_PATHS.findall("run: ls /home/someone; cd /opt/x") == ["/home", "/opt"]
