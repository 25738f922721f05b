"""Kill runs with a cap on costs at random moments, and compare bill, ledger and cap."""

import random
from collections.abc import Callable
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import NamedTuple

import msgspec

from benchloom.core.errors import StoppedError
from flows.stages.generate.plan import Endpoint, GeneratePlan
from prompts.endpoint.limits import Limits
from prompts.ledger.schema import spent_between
from prompts.results.attempts import Attempts
from tests.support.llm.provider import PRICE_TABLE, Provider
from tests.support.llm.server import Faults
from tests.support.llm.world import (
    child_context,
    endpoint_for,
    kill_after,
    plan_for,
    run_step,
    shortcuts_folder,
    wait_until,
)


class Costs(NamedTuple):
    """The micro-dollars of the bill, the ledger and the cap, and the number of kills."""

    bill: int
    booked: float
    cap: float
    kills: int


def run_quietly(plan: GeneratePlan, out: Path, endpoint: Endpoint) -> None:
    """Run a step in a child process; a cap on costs may stop it."""
    try:
        run_step(plan, out, endpoint)
    except StoppedError:
        return


def run_with_kills(folder: Path, random_source: random.Random, most_kills: int = 2) -> Costs:
    """Kill a run up to `most_kills` times at random, then finish it and return its costs."""
    attempts = Attempts(random_source.choice([1, 1, 3]), random_source.random() < 0.4)
    plan = msgspec.structs.replace(plan_for(shortcuts_folder(folder / "in", 40)), attempts=attempts)
    share = random_source.choice([0.0, 0.05])
    server = Provider(
        latency=random_source.uniform(0, 0.02),
        faults=Faults(rate_limited=share, server_error=share, truncated=share, invalid=share),
        most_thoughts=random_source.choice([0, 200]),
        careless=0.3,
        strict=0.2,
        batch_polls=random_source.randint(1, 6),
    )
    endpoint = endpoint_for(
        folder,
        "",
        max_usd=random_source.uniform(0.1, 2.0),
        limits=Limits(concurrency=random_source.choice([1, 4, 32]), backoff=0.01, timeout=10.0),
        batch=random_source.random() < 0.4,
    )
    endpoint.prices.write_text(PRICE_TABLE)
    kills = 0
    with server.running():
        endpoint = msgspec.structs.replace(endpoint, base_url=server.url)
        for _ in range(random_source.randint(min(1, most_kills), most_kills)):
            child = child_context().Process(
                target=run_quietly, args=(plan, folder / "out", endpoint)
            )
            target = len(server.bill) + random_source.randint(0, 20)
            child.start()
            kill_condition = _kill_condition(server, child, target, in_batch=endpoint.batch)
            wait_until(kill_condition)
            kills += kill_after(child, random_source.uniform(0, 0.03))
        run_quietly(plan, folder / "out", endpoint)
        wait_until(lambda: server.in_flight == 0)
    assert endpoint.max_usd is not None
    booked = spent_between(endpoint.log, 0.0, 1e12)
    return Costs(server.micro, booked * 1e6, endpoint.max_usd * 1e6, kills)


def _kill_condition(
    server: Provider, child: ForkServerProcess, target: int, *, in_batch: bool
) -> Callable[[], bool]:
    """Return the condition for a kill: a number of replies, or an uploaded batch."""
    files = len(server.files)
    return lambda: (
        len(server.bill) >= target
        or (in_batch and len(server.files) > files)
        or child.exitcode is not None
    )
