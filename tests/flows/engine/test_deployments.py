"""Tests of `prefect.yaml`: they check that its deployments run on a process worker."""

import asyncio
import os
import runpy
import subprocess
import sys
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchloom.storage.tables import row_count, table_parts
from benchloom.storage.workspace import workspace_lock
from demo.containers import binary
from demo.drafts import Draft
from flows.engine.deployed import deployed_names
from flows.stages.shortcuts.parse import PART_BYTES
from tests.support.commands import call_in_process
from tests.support.demo_world import DEMO
from tests.support.prefect_server import Api, clean_environment, end_process, wait_for

pytestmark = pytest.mark.long

ROOT = DEMO.parent
FILES = ["demo/shortcuts/focus-on-work.shortcut", "demo/shortcuts/garden-light.shortcut"]
WORKERS = 2


def test_every_flow_has_a_deployment_with_its_name() -> None:
    deployments = yaml.safe_load((ROOT / "prefect.yaml").read_text())["deployments"]
    assert [entry["name"] for entry in deployments] == list(
        dict.fromkeys(entry["name"] for entry in deployments)
    )
    assert {entry["name"] for entry in deployments} == set(deployed_names())
    for entry in deployments:
        assert entry["entrypoint"] == f"flows/engine/deployed.py:{entry['name']}"
        assert "workspace" in entry["parameters"]


def test_deployed_flow_folder_shadows_no_standard_module() -> None:
    # Prefect puts the folder of a deployed flow first on the import path of its run and of the
    # run's processes: pydantic would import a `secrets.py` in it instead of Python's own module.
    entries = yaml.safe_load((ROOT / "prefect.yaml").read_text())["deployments"]
    folders = {(ROOT / entry["entrypoint"]).parent for entry in entries}
    neighbour_names = {path.stem for folder in folders for path in folder.iterdir()}
    assert "deployed" in neighbour_names
    assert not neighbour_names & sys.stdlib_module_names


@pytest.mark.prefect
def test_deployed_flows_run_on_a_worker(tmp_path: Path, prefect_url: str) -> None:
    # The test starts the run itself, so the server needs no scheduler.
    environment = clean_environment(tmp_path / "home", prefect_url)
    with closing(Api(prefect_url)) as api:
        # `prefect work-pool create` sends the same; the worker fills in the template.
        api.post("/work_pools/", name="benchloom", type="process", base_job_template={})
        assert call_in_process(_deploy_all, environment) == 0
        deployment_ids = {entry["name"]: entry["id"] for entry in api.post("/deployments/filter")}
        assert set(deployment_ids) == set(deployed_names())

        inputs = [*FILES, *map(str, write_long_files(tmp_path / "long"))]
        parameters = {"inputs": inputs, "workspace": str(tmp_path / "free"), "workers": WORKERS}
        endpoint = f"/deployments/{deployment_ids['parse']}/create_flow_run"
        run_id = str(api.post(endpoint, parameters=parameters)["id"])
        with (
            (tmp_path / "worker.log").open("wb") as log,
            subprocess.Popen(
                [sys.executable, "-m", "prefect", "worker", "start", "--pool", "benchloom"],
                env=environment,
                cwd=ROOT,
                stdout=log,
                stderr=log,
            ) as worker,
        ):
            try:
                end_state = wait_for("the end of a run", partial(api.ended, run_id))
            finally:
                # On Python 3.13 a worker may ignore the signal, and Popen would wait for ever.
                end_process(worker)
    assert end_state["name"] == "Completed", (tmp_path / "worker.log").read_text()
    (stage_folder,) = (tmp_path / "free" / "parsed").glob("shortcuts-*")
    assert (stage_folder / "stage.json").is_file()
    assert sum(map(row_count, table_parts(stage_folder, "shortcuts"))) == len(inputs)
    assert call_in_process(_check_block_secrets, environment) == 0


def _deploy_all() -> None:
    os.chdir(ROOT)
    sys.argv = ["prefect", "--no-prompt", "deploy", "--all"]
    runpy.run_module("prefect", run_name="__main__")


@pytest.mark.prefect
def test_second_writer_of_a_workspace_is_refused(tmp_path: Path, prefect_url: str) -> None:
    environment = clean_environment(tmp_path / "home", prefect_url)
    with workspace_lock(tmp_path / "busy"):
        assert call_in_process(partial(_check_refusal, tmp_path / "busy"), environment) == 0
    assert not (tmp_path / "busy" / "parsed").exists()


def _check_refusal(workspace: Path) -> None:
    """Run a deployed flow in a locked workspace, as a worker does, and check the refusal."""
    from flows.engine import deployed

    parse: Any = deployed.parse
    state = asyncio.run(parse(inputs=FILES, workspace=workspace, return_state=True))
    assert (state.is_failed(), state.name) == (True, "Refused")
    message = f"{workspace}: another run is writing here; wait for it or choose another"
    assert state.message == message


def write_long_files(folder: Path) -> list[Path]:
    """Write files of one shard each: with several shards a run starts processes."""
    folder.mkdir()
    files = [folder / f"long-{number}.shortcut" for number in range(WORKERS)]
    for number, file in enumerate(files):
        draft = Draft(f"Long {number}")
        draft.add("comment", WFCommentActionText="a line of many\n" * (PART_BYTES // 14))
        file.write_bytes(binary(draft.build()))
        assert file.stat().st_size > PART_BYTES
    return files


def _check_block_secrets() -> None:
    """Check that secrets missing from the environment are loaded from Prefect blocks."""
    from prefect.blocks.system import Secret
    from pydantic import SecretStr

    from flows.engine.server.local import load_secrets

    names = ("benchloom-openai-api-key", "benchloom-hf-token")
    try:
        for name in names:
            Secret(value=SecretStr("from a block")).save(name)
        os.environ["HF_TOKEN"] = "from the environment"
        assert asyncio.run(load_secrets()) == ("OPENAI_API_KEY",)
        assert os.environ["OPENAI_API_KEY"] == "from a block"
        assert os.environ["HF_TOKEN"] == "from the environment"
    finally:
        # With these secrets, later runs on this server would call a model.
        for name in names:
            Secret.delete(name)
