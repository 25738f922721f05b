"""Check that MultiWOZ, alone and beside SGD, is rebuilt into a sound and described release."""

import json
from pathlib import Path

import pytest

from benchloom.core.records import ApiDefinition, PlanningPath
from benchloom.release import check_release, read_manifest
from benchloom.storage.tables import iter_records
from tests.support.commands import benchloom
from tests.support.prefect_server import clean_environment
from tests.support.samples.dialogues import sample

pytestmark = pytest.mark.prefect
PLANS = {"multiwoz": 8, "sgd": 29}


@pytest.mark.long
@pytest.mark.parametrize("names", [("multiwoz",), ("multiwoz", "sgd")], ids="+".join)
def test_release_of_multiwoz_passes_every_gate(
    tmp_path: Path, prefect_url: str, names: tuple[str, ...]
) -> None:
    config = tmp_path / "rebuild.toml"
    sources = [f'{name} = ["{sample(name)}"]' for name in names]
    lines = ["[sources]", *sources, "[generate]", 'steps = ["instruction"]', 'writer = "template"']
    config.write_text("\n".join(lines) + "\n")
    home = clean_environment(tmp_path / "home", prefect_url)
    command = ("rebuild", "--config", config, "--out", tmp_path / "space", "--json")
    done = benchloom(*command, env=home)
    assert done.returncode == 0, done.stderr
    release = Path(json.loads(done.stdout)["release"])
    check_release(release)
    plans = list(iter_records(release, "planning_paths", PlanningPath))
    plan_counts = {name: sum(len(p.dialogues) for p in plans if p.source == name) for name in names}
    assert plan_counts == {name: PLANS[name] for name in names}
    definitions = list(iter_records(release, "api_definitions", ApiDefinition))
    assert {definition.source_kind for definition in definitions} == set(names)
    assert read_manifest(release).tables()["queries"] == len(plans)
    card = (release / "README.md").read_text()
    assert "| multiwoz | MultiWOZ 2.2 | MIT | https://github.com/budzianowski/multiwoz |" in card
    assert "| convert-multiwoz | 8 | 8 |" in card
    for page in ("report.html", "sample/planning_paths.html"):
        assert "find_restaurant" in (release / page).read_text(), page


def test_config_check_refuses_unknown_options_of_a_source(tmp_path: Path) -> None:
    config = tmp_path / "rebuild.toml"
    table = '[multiwoz]\nmode = "name"\nvariant = "v1"\n'
    config.write_text(f'[sources]\nmultiwoz = ["{sample("multiwoz")}"]\n{table}')
    done = benchloom("config", "check", "--config", config)
    assert done.returncode == 2
    assert "multiwoz.mode" in done.stdout + done.stderr
    assert "[multiwoz] unknown key 'variant'; known: drop, mode" in done.stdout + done.stderr
