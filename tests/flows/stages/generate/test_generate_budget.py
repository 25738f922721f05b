"""Check spending caps with endpoints that hide their bill, with several logs and invalid values."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from benchloom.core.errors import RunError, StoppedError
from flows.stages.generate.plan import LOG, Endpoint
from prompts.ledger.store import Store
from tests.support.commands import benchloom
from tests.support.llm.server import LlmServer
from tests.support.llm.world import (
    PRICES,
    USD_IN,
    USD_OUT,
    endpoint_for,
    plan_for,
    price_file,
    run_step,
    shortcuts_folder,
)

PER_REQUEST = 0.0007
"""Approximate cost of one request of these tests, in US dollars."""


def bill_of(server: LlmServer) -> float:
    return server.billing.usd(USD_IN, USD_OUT)


@pytest.mark.parametrize(
    "reported",
    [
        {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
        {"prompt_tokens": -900, "completion_tokens": -900},
        {"prompt_tokens": 1e30, "completion_tokens": 1e30},
    ],
)
@pytest.mark.parametrize("batch", [False, True])
def test_requests_of_hidden_cost_stop_at_the_cap(
    tmp_path: Path, reported: dict[str, object], *, batch: bool
) -> None:
    source = shortcuts_folder(tmp_path / "in", 60)
    server = LlmServer(reported=reported)
    # A request reserves about four times its cost; a lower cap would refuse the first request.
    cap = 8 * PER_REQUEST
    with server.running():
        for _ in range(3):
            endpoint = endpoint_for(tmp_path, server.url, max_usd=cap, batch=batch)
            with pytest.raises(StoppedError, match="--max-usd"):
                run_step(plan_for(source), tmp_path / "out", endpoint)
    assert 1 <= server.billing.billed <= (16 if batch else 8)
    assert bill_of(server) <= cap


def endpoint_with_log(folder: Path, url: str, log: str, cap: float) -> Endpoint:
    """Return an endpoint with a separate log in a workspace that other runs share."""
    (folder / log).parent.mkdir(parents=True, exist_ok=True)
    prices = folder / "prices.yaml"
    if not prices.exists():
        prices.write_text(PRICES)
    return Endpoint(log=folder / log, ledger=folder / LOG, base_url=url, prices=prices, max_usd=cap)


def test_two_logs_of_a_workspace_share_a_cap_together(tmp_path: Path) -> None:
    source = shortcuts_folder(tmp_path / "in", 60)
    cap = 12 * PER_REQUEST
    server = LlmServer()
    billed = []
    with server.running():
        for log in ("a.sqlite", "deep/b.sqlite", LOG, "a.sqlite"):
            with pytest.raises(StoppedError, match="--max-usd"):
                run_step(
                    plan_for(source),
                    tmp_path / log / "out",
                    endpoint_with_log(tmp_path / "w", server.url, log, cap),
                )
            billed.append(server.billing.billed)
        assert 0 < billed[0] < 20
        assert billed[-1] == billed[0]
        assert bill_of(server) <= cap
        run_step(
            plan_for(source),
            tmp_path / "o",
            endpoint_with_log(tmp_path / "w", server.url, "a.sqlite", 1),
        )
    # Requests in the first log are not sent again.
    assert server.billing.billed == 60


def test_parallel_runs_with_separate_logs_share_one_cap(tmp_path: Path) -> None:
    source = shortcuts_folder(tmp_path / "in", 60)
    cap = 20 * PER_REQUEST
    server = LlmServer(latency=0.01)

    def is_stopped(log: str) -> bool:
        endpoint = endpoint_with_log(tmp_path / "w", server.url, log, cap)
        try:
            run_step(plan_for(source), tmp_path / f"out-{log}", endpoint)
        except StoppedError:
            return True
        return False

    logs = ["a.sqlite", "b.sqlite", LOG]
    endpoint_with_log(tmp_path / "w", "", LOG, cap)
    with server.running(), ThreadPoolExecutor(len(logs)) as pool:
        assert all(pool.map(is_stopped, logs))
    assert 0 < bill_of(server) <= cap


def test_costs_booked_in_a_log_move_to_the_ledger(tmp_path: Path) -> None:
    source = shortcuts_folder(tmp_path / "in", 60)
    cap = 12 * PER_REQUEST
    server = LlmServer()
    with server.running():
        endpoint = endpoint_with_log(tmp_path / "w", server.url, LOG, cap)
        with pytest.raises(StoppedError):
            run_step(plan_for(source), tmp_path / "out", endpoint)
        (tmp_path / "w" / LOG).rename(tmp_path / "w/old.sqlite")
        first = server.billing.billed
        with pytest.raises(StoppedError):
            run_step(
                plan_for(source),
                tmp_path / "o",
                endpoint_with_log(tmp_path / "w", server.url, "old.sqlite", cap),
            )
        assert server.billing.billed == first
    assert bill_of(server) <= cap


def booked_costs(path: Path) -> Iterator[tuple[str, int]]:
    with Store(path) as store:
        yield from store.rows("SELECT job, committed_nano FROM jobs")


def test_inconsistent_ledger_is_refused(tmp_path: Path) -> None:
    source = shortcuts_folder(tmp_path / "in", 3)
    with LlmServer().running() as server:
        endpoint = endpoint_with_log(tmp_path / "w", server.url, LOG, 1.0)
        run_step(plan_for(source), tmp_path / "out", endpoint)
        assert all(committed > 0 for _, committed in booked_costs(endpoint.log))
        with Store(endpoint.log) as store:
            store.write(lambda c: c.execute("UPDATE jobs SET committed_nano = 0"))
        with pytest.raises(RunError, match=r"completions\.sqlite is damaged: .* restore it"):
            run_step(plan_for(source), tmp_path / "again", endpoint)


@pytest.mark.parametrize("cap", ["inf", "nan", "1e30", "-1"])
def test_invalid_cap_is_wrong_usage(tmp_path: Path, cap: str) -> None:
    source = shortcuts_folder(tmp_path / "in", 1)
    command = ["generate", "query", "--in", str(source), "--out", str(tmp_path / "out"), "--json"]
    command += ["--model", "test-model", "--prices", str(price_file(tmp_path)), "--max-usd", cap]
    environment = {"PATH": "", "HOME": "", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
    done = benchloom(*command, "--workspace", tmp_path / "w", env=environment)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    assert "max-usd" in done.stderr or "the cap is" in done.stderr
