"""Run one step of text generation with a model, by single requests or by batches."""

import asyncio
import itertools
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.records import Rejected
from flows.stages.generate.outcome import GenerateProgress, Outcome, outcome_of
from flows.stages.generate.plan import Endpoint, GeneratePlan, cases_of
from flows.stages.generate.row_maker import batch_pool
from flows.stages.generate.run import conversation_of, generate_rows
from prompts.endpoint.limits import DEFAULTS, base_url_of, open_endpoint
from prompts.endpoint.local import REPLY_SECONDS, local_server
from prompts.exchange import Answer, Request
from prompts.ledger.budget import Governor
from prompts.ledger.log import CompletionLog
from prompts.ledger.prices import FREE, Price, load_price
from prompts.ledger.store import Store
from prompts.results.attempts import Further
from prompts.results.estimate import Estimate, estimate_talks
from prompts.results.rows import AnyCase
from prompts.steps import Grade, Written
from prompts.talks import Asker
from prompts.talks.driver import Driver, Find, Talk

if TYPE_CHECKING:
    from prompts.endpoint.client import ChatClient

AnyDriver = Driver[AnyCase | Rejected, Written | Grade]

AT_ONCE = 2
"""Number of open conversations for each request in flight. While one request is sent, the
reservation of the next one or the reply of the last one is flushed to the disk, so that a slow disk
does not leave the endpoint idle. The number limits waiting conversations; a kill loses at most the
requests in flight."""


def asker_of(plan: GeneratePlan, *, structured: bool = True) -> Asker:
    """Return the object that builds the requests of a run with the settings of a plan."""
    if plan.model is None:
        raise RunError("this step needs a model; pass --model")
    return Asker(
        model=plan.model,
        temperature=plan.temperature,
        seed=plan.seed,
        structured=structured,
        reply_tokens=plan.reply_tokens,
        reasoning_effort=plan.reasoning_effort,
        request_fields=plan.request_fields,
    )


def resume_asker(plan: GeneratePlan, endpoint: Endpoint, log: CompletionLog) -> Asker:
    """Return the object that builds requests, with what earlier runs learned about the endpoint."""
    dialect = log.dialect(base_url_of(endpoint.base_url), plan.model or "")
    return asker_of(plan, structured=dialect.structured)


def run_model(
    plan: GeneratePlan,
    out: Path,
    endpoint: Endpoint,
    progress: GenerateProgress | None = None,
    workers: int = 1,
) -> Outcome:
    """Write the texts of a plan with a model; `workers` processes check these texts.

    Raises:
        BudgetError: the maximum cost was reached; finished work is kept, and a rerun continues.
        EndpointError: the endpoint refuses the run.
    """
    with ExitStack() as stack:
        store = stack.enter_context(Store(endpoint.log, endpoint.ledger))
        log = CompletionLog(store)
        governor = open_governor(plan, endpoint, store)
        if progress is not None:
            progress.spent = lambda: governor.spending().settled_usd
        if endpoint.batch:
            driver = _after_batches(plan, endpoint, log, governor)
        else:
            driver = direct_driver(plan, endpoint, log, governor, stack=stack)
        pool = stack.enter_context(batch_pool(workers))
        finished = generate_rows(plan, out, driver, progress, pool)
        return outcome_of(finished, governor.spending())


def open_governor(plan: GeneratePlan, endpoint: Endpoint, store: Store) -> Governor:
    """Return the object that keeps the cost of a run within the maximum cost.

    Raises:
        RunError: a maximum cost is set, but the price of the model is unknown.
    """
    price = price_of(plan, endpoint)
    if price is None and endpoint.max_usd is not None:
        raise RunError(
            f"--max-usd needs the price of '{plan.model}': pass a price table with --prices, or "
            f"--free if the endpoint costs nothing"
        )
    return Governor(store, plan.job(), price, endpoint.max_usd)


def price_of(plan: GeneratePlan, endpoint: Endpoint) -> Price | None:
    """Return the price of a plan's model, or None if it is unknown.

    Raises:
        RunError: the price table cannot be read.
    """
    return FREE if endpoint.free else load_price(plan.model or "", endpoint.prices)


def _for_local_model(endpoint: Endpoint) -> Endpoint:
    """Give an endpoint with a local model one request at a time, and a longer timeout."""
    if endpoint.weights is None:
        return endpoint
    seconds = endpoint.limits.timeout
    timeout = REPLY_SECONDS if seconds == DEFAULTS.timeout else seconds
    limits = msgspec.structs.replace(endpoint.limits, concurrency=1, timeout=timeout)
    return msgspec.structs.replace(endpoint, limits=limits)


def direct_driver(
    plan: GeneratePlan,
    endpoint: Endpoint,
    log: CompletionLog,
    governor: Governor,
    *,
    stack: ExitStack,
) -> AnyDriver:
    """Return the object that sends each request to the endpoint by itself, not in a batch.

    If it starts a server for a local model, the server ends with the stack.
    """
    endpoint = _for_local_model(endpoint)
    limits, weights = endpoint.limits, endpoint.weights

    def open_client() -> "ChatClient":
        url = endpoint.base_url
        if weights is not None:
            url = stack.enter_context(local_server(weights))
        opened = open_endpoint(url, limits.timeout, keyless=weights is not None)
        from prompts.endpoint.client import (
            ChatClient,
        )  # needs the extra that `open_endpoint` checks

        return ChatClient(opened, log, governor, limits, plan.model or "")

    return Driver(
        partial(conversation_of, plan),
        partial(asker_of, plan),
        log.find,
        open_client,
        AT_ONCE * limits.concurrency,
        gives_up_after=limits.gives_up_after,
        tell=lambda line: sys.stderr.write(f"benchloom: {line}\n"),
    )


def _after_batches(
    plan: GeneratePlan, endpoint: Endpoint, log: CompletionLog, governor: Governor
) -> AnyDriver:
    """Send batches until no reply is missing; return an object that reads the logged replies."""
    if endpoint.weights is not None:
        raise RunError("a local model accepts no batches; omit --batch")
    failed, structured = asyncio.run(_send_rounds(plan, endpoint, log, governor))

    def find(digest: str) -> Answer | None:
        return log.find(digest) or failed.get(digest)

    asker = partial(asker_of, plan, structured=structured)
    return Driver(partial(conversation_of, plan), asker, find)


async def _send_rounds(
    plan: GeneratePlan, endpoint: Endpoint, log: CompletionLog, governor: Governor
) -> tuple[dict[str, Answer], bool]:
    """Send rounds of batches; each round contains the next request of every conversation.

    Return the requests without a usable reply (a mapping from digest to answer), and whether
    requests contained schemas.
    """
    async with open_endpoint(endpoint.base_url, endpoint.limits.timeout) as opened:
        from prompts.endpoint.batch import MAX_REQUESTS, BatchClient

        client = BatchClient(opened, log, governor, plan.model or "", endpoint.poll_seconds)
        await client.resume()
        structured = log.dialect(str(opened.base_url), plan.model or "").structured
        sent = True
        while sent:
            sent = False
            missing = missing_requests(
                plan,
                lambda digest: log.find(digest) or client.failed.get(digest),
                structured=structured,
            )
            while group := list(itertools.islice(missing, MAX_REQUESTS)):
                sent = True
                await client.answer_all(group)
        return client.failed, structured


def missing_requests(
    plan: GeneratePlan, find: Find, *, structured: bool = True
) -> Iterator[Request]:
    """Yield the request that each unfinished conversation is waiting for."""
    asker = asker_of(plan, structured=structured)
    for case in cases_of(plan):
        talk = Talk(conversation_of(plan, case, asker))
        talk.replay(find)
        if talk.requested is not None:
            yield talk.requested


def estimate(plan: GeneratePlan, endpoint: Endpoint) -> Estimate:
    """Estimate the requests and the cost of a run without sending a request."""
    price = price_of(plan, endpoint)
    with Store(endpoint.log, endpoint.ledger) as store:
        log = CompletionLog(store)
        asker = resume_asker(plan, endpoint, log)
        talks = (
            (Talk(conversation_of(plan, case, asker)), _further(plan, case, asker))
            for case in cases_of(plan)
        )
        return estimate_talks(plan.definition(), talks, log.find, price, batch=endpoint.batch)


def _further(plan: GeneratePlan, case: AnyCase | Rejected, asker: Asker) -> Iterator[Further]:
    """Yield the requests that may follow the first request about an input row."""
    if not isinstance(case, Rejected):
        yield from plan.attempts.further(plan.definition(), case.input, asker)
