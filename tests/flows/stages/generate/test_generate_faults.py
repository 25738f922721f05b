"""Hundreds of requests, faults, kills and caps against the local endpoint, over loopback."""

import random
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest

from benchloom.core.errors import StoppedError
from flows.stages.generate.plan import Endpoint, GeneratePlan
from prompts.endpoint.limits import Limits
from prompts.ledger import store as store_module
from prompts.ledger.log import verify_log
from tests.support.llm.killed_runs import run_quietly, run_with_kills
from tests.support.llm.server import Faults, LlmServer
from tests.support.llm.world import (
    USD_IN,
    USD_OUT,
    child_context,
    endpoint_for,
    kill_after,
    plan_for,
    rows_of,
    run_step,
    shortcuts_folder,
    table_bytes,
    wait_until,
)
from tests.support.soak import samples

FIFTEEN_PERCENT = Faults(
    rate_limited=0.03,
    server_error=0.03,
    timeout=0.01,
    broken=0.02,
    truncated=0.03,
    invalid=0.03,
)

REQUESTS = samples(600, 2_000)
KILLS = samples(3, 10)
SEEDS = samples(4, 50)


def run_on_a_slow_disk(plan: GeneratePlan, out: Path, endpoint: Endpoint) -> None:
    """The same where every flush takes as long as a reply: what waits for one is seen at a kill."""
    flush = store_module._sync

    def slowly(descriptor: int) -> None:
        time.sleep(0.05)
        flush(descriptor)

    store_module._sync = slowly
    run_quietly(plan, out, endpoint)


def at_work(server: LlmServer, child: ForkServerProcess, target: int) -> Callable[[], bool]:
    """Whether the endpoint has seen so many requests, or the child is over."""
    return lambda: sum(server.billing.seen.values()) >= target or child.exitcode is not None


@pytest.mark.long
def test_every_request_ends_once_beside_fifteen_percent_faults(tmp_path: Path) -> None:
    source = shortcuts_folder(tmp_path / "in", REQUESTS)
    # Patient enough that a busy machine is not mistaken for an endpoint that hangs.
    limits = Limits(concurrency=64, backoff=0.01, most_backoff=0.05, timeout=4.0)
    server = LlmServer(faults=FIFTEEN_PERCENT, hang=6.0)
    with server.running():
        endpoint = endpoint_for(tmp_path, server.url, limits=limits)
        outcome = run_step(plan_for(source), tmp_path / "out", endpoint)
    texts, verdicts, rejected = rows_of(tmp_path / "out")
    assert outcome.objects == len(texts) + len(rejected) == REQUESTS
    assert outcome.kept + sum(outcome.dropped.values()) == len(texts)
    assert all(verdict.reason for verdict in verdicts)
    assert all(row.reason and row.message for row in rejected)
    assert len({row.target_id for row in texts} | {row.digest for row in rejected}) == REQUESTS

    # Every reply the endpoint bills is an attempt in the ledger, and every further one of a
    # request has its reason there.
    assert outcome.spending is not None
    outcomes = Counter(outcome.spending.outcomes)
    assert sum(server.billing.faults.values()) >= 0.12 * REQUESTS
    assert outcomes["rate_limited"] == server.billing.faults["rate_limited"]
    assert outcomes["server_error"] == server.billing.faults["server_error"]
    unique = len(server.billing.replies)
    retried = outcomes["timeout"] + outcomes["broken"]
    assert retried > 0
    assert server.billing.billed == unique + retried
    assert server.billing.billed == outcomes["answered"] + outcomes["truncated"] + retried
    assert outcome.spending.open_attempts == 0
    bill = server.billing.usd(USD_IN, USD_OUT)
    assert bill <= outcome.spending.settled_usd + 1e-9
    assert verify_log(endpoint.log) == []


def replies_in(log: Path) -> int:
    """Attempts whose reply is in the ledger of a log that nobody owns."""
    connection = sqlite3.connect(f"{log.resolve().as_uri()}?mode=ro", uri=True)
    query = "SELECT count(*) FROM attempts WHERE outcome = 'answered'"
    (count,) = connection.execute(query).fetchone()
    connection.close()
    return int(count)


def moment_of_death(
    luck: random.Random, server: LlmServer, child: ForkServerProcess
) -> tuple[Callable[[], bool], float]:
    """When to kill: some time after a number of requests, or just when replies have left."""
    if luck.random() < 0.5:
        target = sum(server.billing.seen.values()) + luck.randint(1, 30)
        return at_work(server, child, target), luck.uniform(0, 0.06)
    replies = server.answered + luck.randint(1, 30)
    return lambda: server.answered >= replies or child.exitcode is not None, luck.uniform(0, 0.004)


@pytest.mark.long
def test_kills_bill_nothing_twice_and_change_nothing(tmp_path: Path) -> None:
    source = shortcuts_folder(tmp_path / "in", 400)
    plan = plan_for(source)
    calm = LlmServer()
    with calm.running():
        (tmp_path / "calm").mkdir()
        run_step(plan, tmp_path / "calm/out", endpoint_for(tmp_path / "calm", calm.url))
    context = child_context()
    luck = random.Random(7)  # moments of death, not secrets
    server = LlmServer(latency=0.05)
    limits = Limits(concurrency=8, timeout=10.0)
    lost: list[int] = []
    with server.running():
        endpoint = endpoint_for(tmp_path, server.url, limits=limits)
        for _ in range(40):
            run = luck.choice([run_quietly, run_on_a_slow_disk])
            child = context.Process(target=run, args=(plan, tmp_path / "out", endpoint))
            moment, delay = moment_of_death(luck, server, child)
            child.start()
            wait_until(moment, every=0.0005)
            if not kill_after(child, delay):
                break
            wait_until(lambda: server.in_flight == 0)
            # Paid for, and lost to the log by this kill.
            lost.append(server.billing.billed - replies_in(endpoint.log) - sum(lost))
            if len(lost) == KILLS:
                break
        assert len(lost) == KILLS
        outcome = run_step(plan, tmp_path / "out", endpoint)
    assert table_bytes(tmp_path / "out") == table_bytes(tmp_path / "calm/out")
    # A kill loses the requests in flight, and nothing else.
    assert max(lost) <= limits.concurrency
    assert sum(lost) > 0
    twice = server.billing.billed - len(server.billing.replies)
    assert twice <= sum(lost)
    # No request was billed more often than it was in flight at a kill, plus its final answer.
    assert max(server.billing.replies.values()) <= len(lost) + 1
    assert len(server.billing.replies) == len(calm.billing.replies)
    assert outcome.spending is not None
    assert twice <= outcome.spending.outcomes["lost"]
    assert outcome.spending.open_attempts == 0
    assert server.billing.billed <= outcome.spending.attempts
    assert verify_log(endpoint.log) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_cap_is_never_exceeded(tmp_path: Path, seed: int) -> None:
    bill, booked, cap, _ = run_with_kills(tmp_path, random.Random(seed))
    assert bill <= booked <= cap


def test_a_raised_cap_goes_on_where_the_run_stopped(tmp_path: Path) -> None:
    source = shortcuts_folder(tmp_path / "in", 60)
    plan = plan_for(source)
    server = LlmServer()
    with server.running():
        with pytest.raises(StoppedError, match="--max-usd"):
            run_step(plan, tmp_path / "out", endpoint_for(tmp_path, server.url, max_usd=0.01))
        first = server.billing.billed
        assert 0 < first < 60
        # Requests in flight hold far more than they cost; the cap is used all the same.
        assert 0.6 * 0.01 < server.billing.usd(USD_IN, USD_OUT) <= 0.01
        run_step(plan, tmp_path / "out", endpoint_for(tmp_path, server.url, max_usd=1.0))
        assert server.billing.billed == len(server.billing.replies) == 60
