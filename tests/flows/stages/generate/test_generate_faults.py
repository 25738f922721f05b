"""Check hundreds of requests with faults, kills and caps against an endpoint on loopback."""

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
    """Run a step with slow flushes, so that a kill reveals replies that wait for a flush."""
    flush = store_module._sync

    def flush_slowly(descriptor: int) -> None:
        time.sleep(0.05)
        flush(descriptor)

    store_module._sync = flush_slowly
    run_quietly(plan, out, endpoint)


def has_seen_requests(
    server: LlmServer, child: ForkServerProcess, target: int
) -> Callable[[], bool]:
    """Return a condition: the endpoint has seen `target` requests, or the child has ended."""
    return lambda: sum(server.billing.seen.values()) >= target or child.exitcode is not None


@pytest.mark.long
def test_every_request_ends_once_despite_fifteen_percent_faults(tmp_path: Path) -> None:
    source = shortcuts_folder(tmp_path / "in", REQUESTS)
    # The timeout is long enough that a busy machine is not mistaken for a hanging endpoint.
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

    # Every reply that the endpoint bills is an attempt in the ledger, and the ledger has the
    # reason of each repeated request.
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


def count_replies(log: Path) -> int:
    """Return the number of attempts with a reply in the ledger of a log that no run has open."""
    connection = sqlite3.connect(f"{log.resolve().as_uri()}?mode=ro", uri=True)
    query = "SELECT count(*) FROM attempts WHERE outcome = 'answered'"
    (count,) = connection.execute(query).fetchone()
    connection.close()
    return int(count)


def kill_condition(
    generator: random.Random, server: LlmServer, child: ForkServerProcess
) -> tuple[Callable[[], bool], float]:
    """Return when to kill a run: a delay after some number of requests, or right after replies."""
    if generator.random() < 0.5:
        target = sum(server.billing.seen.values()) + generator.randint(1, 30)
        return has_seen_requests(server, child, target), generator.uniform(0, 0.06)
    replies = server.answered + generator.randint(1, 30)
    return lambda: server.answered >= replies or child.exitcode is not None, generator.uniform(
        0, 0.004
    )


@pytest.mark.long
def test_kills_repeat_only_requests_in_flight(tmp_path: Path) -> None:
    source = shortcuts_folder(tmp_path / "in", 400)
    plan = plan_for(source)
    undisturbed = LlmServer()
    with undisturbed.running():
        (tmp_path / "calm").mkdir()
        run_step(plan, tmp_path / "calm/out", endpoint_for(tmp_path / "calm", undisturbed.url))
    context = child_context()
    generator = random.Random(7)  # for moments of kills, not for secrets
    server = LlmServer(latency=0.05)
    limits = Limits(concurrency=8, timeout=10.0)
    lost_counts: list[int] = []
    with server.running():
        endpoint = endpoint_for(tmp_path, server.url, limits=limits)
        for _ in range(40):
            run = generator.choice([run_quietly, run_on_a_slow_disk])
            child = context.Process(target=run, args=(plan, tmp_path / "out", endpoint))
            condition, delay = kill_condition(generator, server, child)
            child.start()
            wait_until(condition, every=0.0005)
            if not kill_after(child, delay):
                break
            wait_until(lambda: server.in_flight == 0)
            # Replies that were billed, but not logged because of this kill.
            lost_counts.append(
                server.billing.billed - count_replies(endpoint.log) - sum(lost_counts)
            )
            if len(lost_counts) == KILLS:
                break
        assert len(lost_counts) == KILLS
        outcome = run_step(plan, tmp_path / "out", endpoint)
    assert table_bytes(tmp_path / "out") == table_bytes(tmp_path / "calm/out")
    # A kill loses the requests in flight, and nothing else.
    assert max(lost_counts) <= limits.concurrency
    assert sum(lost_counts) > 0
    repeated_count = server.billing.billed - len(server.billing.replies)
    assert repeated_count <= sum(lost_counts)
    # No request was billed more often than it was in flight at a kill, plus its final answer.
    assert max(server.billing.replies.values()) <= len(lost_counts) + 1
    assert len(server.billing.replies) == len(undisturbed.billing.replies)
    assert outcome.spending is not None
    assert repeated_count <= outcome.spending.outcomes["lost"]
    assert outcome.spending.open_attempts == 0
    assert server.billing.billed <= outcome.spending.attempts
    assert verify_log(endpoint.log) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", range(SEEDS))
def test_cap_is_never_exceeded_despite_kills(tmp_path: Path, seed: int) -> None:
    bill, booked, cap, _ = run_with_kills(tmp_path, random.Random(seed))
    assert bill <= booked <= cap


def test_run_with_a_raised_cap_continues_where_it_stopped(tmp_path: Path) -> None:
    source = shortcuts_folder(tmp_path / "in", 60)
    plan = plan_for(source)
    server = LlmServer()
    with server.running():
        with pytest.raises(StoppedError, match="--max-usd"):
            run_step(plan, tmp_path / "out", endpoint_for(tmp_path, server.url, max_usd=0.01))
        first = server.billing.billed
        assert 0 < first < 60
        # Requests in flight reserve far more than they cost; most of the cap is used nevertheless.
        assert 0.6 * 0.01 < server.billing.usd(USD_IN, USD_OUT) <= 0.01
        run_step(plan, tmp_path / "out", endpoint_for(tmp_path, server.url, max_usd=1.0))
        assert server.billing.billed == len(server.billing.replies) == 60
