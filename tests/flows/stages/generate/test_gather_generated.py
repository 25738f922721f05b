"""Generated folders become one release, by either writer."""

from pathlib import Path

import pytest

from benchloom.core.errors import RunError
from benchloom.core.records import Completion, Query
from benchloom.storage.tables import iter_records
from flows.stages.generate.merged import gather_to_folder
from flows.stages.generate.plan import GeneratePlan
from flows.stages.generate.settings import run_model, run_template
from flows.stages.release import release_stages
from tests.support.llm.server import LlmServer
from tests.support.llm.world import endpoint_for, plan_for, shortcuts_folder


@pytest.mark.parametrize("writer", ["template", "llm"])
def test_a_release_holds_what_either_writer_made(tmp_path: Path, writer: str) -> None:
    source = shortcuts_folder(tmp_path / "in", 30)
    log = tmp_path / "log.sqlite"
    with LlmServer().running() as server:
        for step in ("query", "category"):
            if writer == "llm":
                run_model(
                    plan_for(source, step), tmp_path / step, endpoint_for(tmp_path, server.url)
                )
            else:
                run_template(GeneratePlan(step=step, source=source), tmp_path / step)
    folders = [tmp_path / "query", tmp_path / "category"]
    gathered = tmp_path / "generated"
    mark = gather_to_folder(folders, gathered, log if writer == "llm" else None)
    assert mark.rows["queries"] == 60
    # The release's own gates check schema, keys and order.
    release = release_stages([gathered], tmp_path / "releases")
    texts = list(iter_records(gathered, "queries", Query))
    assert {text.generator for text in texts} == {writer}
    assert (release / "queries").exists() or (release / "queries.parquet").exists()
    if writer == "llm":
        request_digests = {
            row.request_digest for row in iter_records(gathered, "completions", Completion)
        }
        assert {text.prompt_digest for text in texts} <= request_digests


def test_an_unfinished_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "part").mkdir()
    with pytest.raises(RunError, match="no finished stage"):
        gather_to_folder([tmp_path / "part"], tmp_path / "out")
