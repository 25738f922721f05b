"""Check that a rebuild generates texts by a model where OPENAI_BASE_URL names an endpoint."""

import json
import shutil
import sqlite3
from pathlib import Path
from subprocess import CompletedProcess

import pandas as pd
import pytest

from benchloom.release import check_release
from flows.stages.generate.plan import LOG
from tests.support.commands import benchloom
from tests.support.demo_world import SHORTCUTS
from tests.support.llm.server import LlmServer
from tests.support.prefect_server import clean_environment

pytestmark = pytest.mark.prefect


def rebuild(folder: Path, prefect_url: str, server: LlmServer) -> CompletedProcess[str]:
    """Rebuild the `rebuild.toml` of a folder, with the endpoint in the environment."""
    command = ("rebuild", "--json", "--config", folder / "rebuild.toml", "--out", folder / "w")
    endpoint = {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "testing"}
    return benchloom(*command, env=clean_environment(folder / "home", prefect_url) | endpoint)


def test_rebuild_pays_for_each_text_once_and_judges_it(tmp_path: Path, prefect_url: str) -> None:
    (tmp_path / "rebuild.toml").write_text(
        f'[sources]\nshortcuts = ["{SHORTCUTS}"]\n'
        '[generate]\nsteps = ["query", "parameters", "faithfulness"]\n'
    )
    with LlmServer().running() as server:
        runs, billed = [], []
        for _ in range(2):
            done = rebuild(tmp_path, prefect_url, server)
            assert done.returncode == 0, done.stderr
            runs.append(done)
            billed.append(server.billing.billed)
    assert billed[1] == billed[0] > 0
    expected_line = "writer: llm (gpt-4o-mini), since an endpoint has an address"
    assert expected_line in runs[0].stderr
    first, again = (json.loads(done.stdout) for done in runs)
    assert first["content_digest"] == again["content_digest"]
    release = Path(first["release"])
    check_release(release)
    queries = pd.read_parquet(release / "queries").set_index("query_id")
    assert set(queries.generator) == {"llm"}
    assert len(queries) > 20
    verdicts = pd.read_parquet(release / "verdicts")
    judge = verdicts[verdicts.check.str.startswith("faithfulness:")]
    assert set(judge.check) == {"faithfulness:gpt-4o-mini"}
    request_rows = queries[queries.kind == "query"]
    assert len(request_rows) > 20
    assert set(judge.target_id) <= set(request_rows.index)
    assert set(queries.index[queries.judged]) == set(judge.target_id)
    assert not queries.loc[judge.target_id[~judge.kept], "kept"].any()


@pytest.mark.long
def test_rebuild_generates_task_dialogues_of_personas(tmp_path: Path, prefect_url: str) -> None:
    persona = {"persona": "a baker in a hurry", "source": "written for this test"}
    (tmp_path / "personas.jsonl").write_text(json.dumps(persona))
    (tmp_path / "rebuild.toml").write_text(
        '[generate]\nsteps = ["task_dialogue"]\npersonas = "personas.jsonl"\n'
        '[tasks.request]\nsuites = ["everyday"]\ncount = 20\n'
    )
    with LlmServer().running() as server:
        done = rebuild(tmp_path, prefect_url, server)
    assert done.returncode == 0, done.stderr
    release = Path(json.loads(done.stdout)["release"])
    check_release(release)
    tasks, queries = (pd.read_parquet(release / name) for name in ("tasks", "queries"))
    assert set(queries.target_id) < set(tasks.task_id)
    dialogues = [json.loads(text) for text in queries.structured]
    assert all(len(entry["turns"]) > 1 and entry["persona"] == persona for entry in dialogues)


def test_rebuild_without_usable_replies_makes_no_release(tmp_path: Path, prefect_url: str) -> None:
    for path in sorted(SHORTCUTS.glob("*.plist"))[:8]:
        shutil.copy(path, tmp_path)
    (tmp_path / "rebuild.toml").write_text(
        '[sources]\nshortcuts = ["."]\n[generate]\nsteps = ["query", "faithfulness"]\n'
    )
    with LlmServer(fixed="hello").running() as server:
        done = rebuild(tmp_path, prefect_url, server)
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert "replies unusable (" in done.stderr
    assert "replies was usable" in done.stderr
    assert "not asked for" not in done.stderr
    assert not list((tmp_path / "w" / "releases").glob("[0-9]*"))


def test_batch_rebuild_pays_half_and_judges_only_kept_texts(
    tmp_path: Path, prefect_url: str
) -> None:
    for path in sorted(SHORTCUTS.glob("*.plist"))[:20]:
        shutil.copy(path, tmp_path)
    (tmp_path / "rebuild.toml").write_text(
        '[sources]\nshortcuts = ["."]\n'
        '[generate]\nsteps = ["query", "faithfulness"]\nbatch = true\n'
    )
    with LlmServer().running() as server:
        done = rebuild(tmp_path, prefect_url, server)
    assert done.returncode == 0, done.stderr
    assert len(server.batches) == 2
    assert not server.arrivals, "no request was sent by itself"
    queries = pd.read_parquet(Path(json.loads(done.stdout)["release"]) / "queries")
    assert server.billing.billed == len(queries) + queries.judged.sum()
    with sqlite3.connect(tmp_path / "w" / LOG) as ledger:
        ((nano,),) = ledger.execute("SELECT sum(charged_nano) FROM attempts")
    ledger.close()
    # The endpoint counts each token of a batch as half a token; each charge is rounded up.
    assert nano / 1e9 == pytest.approx(server.billing.usd(0.15, 0.6), abs=1e-6)
