"""`prefect.yaml`: its deployments run on a process worker, one writer per workspace."""

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


def test_every_flow_has_a_deployment_of_its_name() -> None:
    deployments = yaml.safe_load((ROOT / "prefect.yaml").read_text())["deployments"]
    assert [entry["name"] for entry in deployments] == list(
        dict.fromkeys(entry["name"] for entry in deployments)
    )
    assert {entry["name"] for entry in deployments} == set(deployed_names())
    for entry in deployments:
        assert entry["entrypoint"] == f"flows/engine/deployed.py:{entry['name']}"
        assert "workspace" in entry["parameters"]


def test_nothing_beside_the_flows_hides_a_module_of_python() -> None:
    # Prefect puts the folder of a deployed flow first on the path of its run, whose processes
    # inherit it: a `secrets.py` there was imported by pydantic in the place of Python's own.
    entries = yaml.safe_load((ROOT / "prefect.yaml").read_text())["deployments"]
    folders = {(ROOT / entry["entrypoint"]).parent for entry in entries}
    beside = {path.stem for folder in folders for path in folder.iterdir()}
    assert "deployed" in beside
    assert not beside & sys.stdlib_module_names


@pytest.mark.prefect
def test_deployed_flows_run_on_a_worker(tmp_path: Path, prefect_url: str) -> None:
    # Its runs are started by hand: a server without the services of schedules is enough.
    environment = clean_environment(tmp_path / "home", prefect_url)
    with closing(Api(prefect_url)) as api:
        # As `prefect work-pool create` does; the worker fills the template in.
        api.post("/work_pools/", name="benchloom", type="process", base_job_template={})
        assert call_in_process(_deploy_all, environment) == 0
        deployed = {entry["name"]: entry["id"] for entry in api.post("/deployments/filter")}
        assert set(deployed) == set(deployed_names())

        inputs = [*FILES, *map(str, shard_long_files(tmp_path / "long"))]
        parameters = {"inputs": inputs, "workspace": str(tmp_path / "free"), "workers": WORKERS}
        endpoint = f"/deployments/{deployed['parse']}/create_flow_run"
        run = str(api.post(endpoint, parameters=parameters)["id"])
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
                ended = wait_for("the end of a run", partial(api.ended, run))
            finally:
                # On Python 3.13 a worker may not heed the signal, and Popen waits for ever.
                end_process(worker)
    assert ended["name"] == "Completed", (tmp_path / "worker.log").read_text()
    (parsed,) = (tmp_path / "free" / "parsed").glob("shortcuts-*")
    assert (parsed / "stage.json").is_file()
    assert sum(map(row_count, table_parts(parsed, "shortcuts"))) == len(inputs)
    assert call_in_process(_a_block_stands_in_for_a_missing_variable, environment) == 0


def _deploy_all() -> None:
    os.chdir(ROOT)
    sys.argv = ["prefect", "--no-prompt", "deploy", "--all"]
    runpy.run_module("prefect", run_name="__main__")


@pytest.mark.prefect
def test_a_second_writer_of_a_workspace_is_refused(tmp_path: Path, prefect_url: str) -> None:
    environment = clean_environment(tmp_path / "home", prefect_url)
    with workspace_lock(tmp_path / "busy"):
        assert call_in_process(partial(_is_refused, tmp_path / "busy"), environment) == 0
    assert not (tmp_path / "busy" / "parsed").exists()


def _is_refused(workspace: Path) -> None:
    """A deployed flow where somebody writes, as a worker runs it."""
    from flows.engine import deployed

    parse: Any = deployed.parse
    state = asyncio.run(parse(inputs=FILES, workspace=workspace, return_state=True))
    assert (state.is_failed(), state.name) == (True, "Refused")
    message = f"{workspace}: another run is writing here; wait for it or choose another"
    assert state.message == message


def shard_long_files(folder: Path) -> list[Path]:
    """Files that are a shard each: with more than one a run has processes of its own."""
    folder.mkdir()
    files = [folder / f"long-{number}.shortcut" for number in range(WORKERS)]
    for number, file in enumerate(files):
        long = Draft(f"Long {number}")
        long.add("comment", WFCommentActionText="a line of many\n" * (PART_BYTES // 14))
        file.write_bytes(binary(long.build()))
        assert file.stat().st_size > PART_BYTES
    return files


def _a_block_stands_in_for_a_missing_variable() -> None:
    """The flows' own loader against the running server; what it loads is never printed."""
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
        # Later runs on this server would ask a model.
        for name in names:
            Secret.delete(name)
