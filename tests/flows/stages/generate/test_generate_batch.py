"""Check that the Batch API gives the same results as direct calls, also after kills."""

import shutil
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

from benchloom.core.errors import RunError
from tests.support.llm.server import Faults, LlmServer
from tests.support.llm.world import (
    endpoint_for,
    plan_for,
    rows_of,
    run_step,
    shortcuts_folder,
    write_definitions,
)

BAD_REPLIES = Faults(truncated=0.1, invalid=0.1)


@pytest.mark.parametrize("step", ["query", "dialogue"])
def test_batch_gives_the_results_of_direct_calls(tmp_path: Path, step: str) -> None:
    source = write_definitions(shortcuts_folder(tmp_path / "in", 60))
    plan = plan_for(source, step)
    outs = {}
    for batch in (False, True):
        server = LlmServer(faults=BAD_REPLIES, batch_polls=3)
        work = tmp_path / str(batch)
        work.mkdir()
        with server.running():
            outcome = run_step(plan, work / "out", endpoint_for(work, server.url, batch=batch))
        assert outcome.spending is not None
        assert outcome.spending.open_attempts == 0
        assert server.billing.billed == len(server.billing.replies) == outcome.spending.attempts
        outs[batch] = rows_of(work / "out")
        assert bool(server.batches) == batch
    direct, batched = outs[False], outs[True]
    assert direct[1:] == batched[1:]
    assert [row.text for row in direct[0]] == [row.text for row in batched[0]]
    assert [row.completion_digest for row in direct[0]] == [
        row.completion_digest for row in batched[0]
    ]
    # The batch price is half, rounded up to whole billionths.
    for direct_row, other in zip(direct[0], batched[0], strict=True):
        assert other.usd == pytest.approx(direct_row.usd / 2, abs=2e-8)


def test_batch_created_before_a_kill_is_used_by_the_next_run(tmp_path: Path) -> None:
    plan = plan_for(shortcuts_folder(tmp_path / "in", 10))
    killed = tmp_path / "killed"
    killed.mkdir()

    def copy_log() -> None:
        for path in tmp_path.glob("log.sqlite*"):
            shutil.copy(path, killed)

    class CopyingServer(LlmServer):
        """A server that copies the log as a run killed at the creation of its batch leaves it."""

        async def create_batch(self, request: Request) -> Response:
            copy_log()
            return await super().create_batch(request)

    server = CopyingServer()
    with server.running():
        for folder in (tmp_path, killed):
            outcome = run_step(plan, folder / "out", endpoint_for(folder, server.url, batch=True))
            assert outcome.kept == 10
    assert len(server.batches) == 1
    assert server.billing.billed == 10


def test_endpoint_without_batches_is_reported(tmp_path: Path) -> None:
    source = shortcuts_folder(tmp_path / "in", 3)
    server = LlmServer()
    with server.running():
        endpoint = endpoint_for(tmp_path, server.url.replace("/v1", "/v2"), batch=True)
        with pytest.raises(RunError, match="HTTP 404"):
            run_step(plan_for(source), tmp_path / "out", endpoint)
        outcome = run_step(
            plan_for(source), tmp_path / "out", endpoint_for(tmp_path, server.url, batch=True)
        )
    assert outcome.kept == 3
    assert server.billing.billed == 3
