"""Spending caps: endpoints that hide their bill, several logs, and invalid caps."""

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
"""US dollars that one request of this world costs, about."""


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
def test_sixty_requests_of_hidden_cost_stop_at_the_cap(
    tmp_path: Path, reported: dict[str, object], *, batch: bool
) -> None:
    source = shortcuts_folder(tmp_path / "in", 60)
    server = LlmServer(reported=reported)
    # The highest cost of one request is about four times its cost: less would refuse the first.
    cap = 8 * PER_REQUEST
    with server.running():
        for _ in range(3):
            endpoint = endpoint_for(tmp_path, server.url, max_usd=cap, batch=batch)
            with pytest.raises(StoppedError, match="--max-usd"):
                run_step(plan_for(source), tmp_path / "out", endpoint)
    assert 1 <= server.billing.billed <= (16 if batch else 8)
    assert bill_of(server) <= cap


def place(folder: Path, url: str, log: str, cap: float) -> Endpoint:
    """A run with a log of its own in a workspace that others use too."""
    (folder / log).parent.mkdir(parents=True, exist_ok=True)
    prices = folder / "prices.yaml"
    if not prices.exists():
        prices.write_text(PRICES)
    return Endpoint(log=folder / log, ledger=folder / LOG, base_url=url, prices=prices, max_usd=cap)


def test_two_logs_of_a_workspace_share_a_cap(tmp_path: Path) -> None:
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
                    place(tmp_path / "w", server.url, log, cap),
                )
            billed.append(server.billing.billed)
        assert 0 < billed[0] < 20
        assert billed[-1] == billed[0]
        assert bill_of(server) <= cap
        run_step(plan_for(source), tmp_path / "o", place(tmp_path / "w", server.url, "a.sqlite", 1))
    # What the first log has is not asked again.
    assert server.billing.billed == 60


def test_two_runs_with_logs_of_their_own_race_for_one_cap(tmp_path: Path) -> None:
    source = shortcuts_folder(tmp_path / "in", 60)
    cap = 20 * PER_REQUEST
    server = LlmServer(latency=0.01)

    def run(log: str) -> bool:
        endpoint = place(tmp_path / "w", server.url, log, cap)
        try:
            run_step(plan_for(source), tmp_path / f"out-{log}", endpoint)
        except StoppedError:
            return True
        return False

    logs = ["a.sqlite", "b.sqlite", LOG]
    place(tmp_path / "w", "", LOG, cap)
    with server.running(), ThreadPoolExecutor(len(logs)) as pool:
        assert all(pool.map(run, logs))
    assert 0 < bill_of(server) <= cap


def test_what_a_log_booked_in_itself_moves_to_the_ledger(tmp_path: Path) -> None:
    source = shortcuts_folder(tmp_path / "in", 60)
    cap = 12 * PER_REQUEST
    server = LlmServer()
    with server.running():
        alone = place(tmp_path / "w", server.url, LOG, cap)
        with pytest.raises(StoppedError):
            run_step(plan_for(source), tmp_path / "out", alone)
        (tmp_path / "w" / LOG).rename(tmp_path / "w/old.sqlite")
        first = server.billing.billed
        with pytest.raises(StoppedError):
            run_step(
                plan_for(source),
                tmp_path / "o",
                place(tmp_path / "w", server.url, "old.sqlite", cap),
            )
        assert server.billing.billed == first
    assert bill_of(server) <= cap


def booked(path: Path) -> Iterator[tuple[str, int]]:
    with Store(path) as store:
        yield from store.rows("SELECT job, committed_nano FROM jobs")


def test_a_ledger_that_contradicts_itself_is_refused(tmp_path: Path) -> None:
    source = shortcuts_folder(tmp_path / "in", 3)
    with LlmServer().running() as server:
        endpoint = place(tmp_path / "w", server.url, LOG, 1.0)
        run_step(plan_for(source), tmp_path / "out", endpoint)
        assert all(committed > 0 for _, committed in booked(endpoint.log))
        with Store(endpoint.log) as store:
            store.write(lambda c: c.execute("UPDATE jobs SET committed_nano = 0"))
        with pytest.raises(RunError, match=r"completions\.sqlite is damaged: .* restore it"):
            run_step(plan_for(source), tmp_path / "again", endpoint)


@pytest.mark.parametrize("cap", ["inf", "nan", "1e30", "-1"])
def test_a_cap_that_caps_nothing_is_wrong_usage(tmp_path: Path, cap: str) -> None:
    source = shortcuts_folder(tmp_path / "in", 1)
    words = ["generate", "query", "--in", str(source), "--out", str(tmp_path / "out"), "--json"]
    words += ["--model", "test-model", "--prices", str(price_file(tmp_path)), "--max-usd", cap]
    environment = {"PATH": "", "HOME": "", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
    done = benchloom(*words, "--workspace", tmp_path / "w", env=environment)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    assert "max-usd" in done.stderr or "the cap is" in done.stderr
