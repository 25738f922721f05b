"""Check that generated folders of either writer become one release."""

from pathlib import Path

import pytest

from benchloom.core.records import Query
from benchloom.storage.tables import iter_records
from flows.stages.generate.model import run_model
from flows.stages.generate.plan import GeneratePlan
from flows.stages.generate.run import run_template
from flows.stages.release import release_stages
from prompts.ledger.log import read_completions
from tests.support.llm.server import LlmServer
from tests.support.llm.world import endpoint_for, plan_for, shortcuts_folder


@pytest.mark.parametrize("writer", ["template", "llm"])
def test_release_contains_the_texts_of_the_writer(tmp_path: Path, writer: str) -> None:
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
    # The release's own gates check schema, keys and order.
    release = release_stages(folders, tmp_path / "releases")
    texts = list(iter_records(release, "queries", Query))
    assert len(texts) == 60
    assert {text.generator for text in texts} == {writer}
    if writer == "llm":
        request_digests = {row.request_digest for row in read_completions(log)}
        assert {text.prompt_digest for text in texts} <= request_digests
