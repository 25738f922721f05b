"""The same flow makes model rows where OPENAI_BASE_URL names an endpoint."""

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
    """Rebuild by the `rebuild.toml` of a folder, with the endpoint in the environment."""
    words = ("rebuild", "--json", "--config", folder / "rebuild.toml", "--out", folder / "w")
    endpoint = {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "testing"}
    return benchloom(*words, env=clean_environment(folder / "home", prefect_url) | endpoint)


def test_a_rebuild_asks_the_endpoint_once_and_judges_what_it_wrote(
    tmp_path: Path, prefect_url: str
) -> None:
    (tmp_path / "rebuild.toml").write_text(
        f'[sources]\nshortcuts = ["{SHORTCUTS}"]\n'
        '[generate]\nsteps = ["query", "parameters", "faithfulness"]\n'
    )
    with LlmServer().running() as server:
        answers, billed = [], []
        for _ in range(2):
            done = rebuild(tmp_path, prefect_url, server)
            assert done.returncode == 0, done.stderr
            answers.append(done)
            billed.append(server.billing.billed)
    assert billed[1] == billed[0] > 0
    said = "writer: llm (gpt-4o-mini), since an endpoint has an address"
    assert said in answers[0].stderr
    first, again = (json.loads(done.stdout) for done in answers)
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
def test_a_rebuild_writes_conversations_about_tasks_as_personas_would(
    tmp_path: Path, prefect_url: str
) -> None:
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
    spoken = [json.loads(text) for text in queries.structured]
    assert all(len(entry["turns"]) > 1 and entry["persona"] == persona for entry in spoken)


def test_a_rebuild_whose_every_reply_is_unusable_stops_before_the_release(
    tmp_path: Path, prefect_url: str
) -> None:
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


def test_a_rebuild_in_batches_pays_half_and_asks_only_about_kept_texts(
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
    # The endpoint counts a token of a batch as half a one; each charge is rounded up.
    assert nano / 1e9 == pytest.approx(server.billing.usd(0.15, 0.6), abs=1e-6)
