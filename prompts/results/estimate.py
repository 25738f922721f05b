"""Estimate the requests and cost of conversations from the log, without sending any."""

from collections.abc import Iterable
from typing import Any

import msgspec

from prompts.endpoint.tokens import ERROR, prompt_tokens
from prompts.ledger.prices import NANO, Price
from prompts.steps import AnyStep
from prompts.talks.driver import Find, Spent, Talk


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """The requests and cost of a run; `usd_most` is the total that the budget reserves."""

    requests: int
    logged: int
    tokens_in: int
    tokens_out: int
    usd: float | None
    usd_most: float | None
    error: str


def estimate_talks(
    step: AnyStep, talks: Iterable[Talk[Any]], find: Find, price: Price | None, *, batch: bool
) -> Estimate:
    """Replay every conversation from the log, and estimate the remaining requests.

    Replies in the log decide the length of further replies and the cached share of prompts; a log
    without replies leaves the step's usual length, and no cache.

    Raises:
        RunError: the extra that counts tokens is not installed.
    """
    requests = tokens_in = most_nano = 0
    logged = Spent()
    seen: set[str] = set()
    for talk in talks:
        talk.replay(find)
        logged = logged.plus(talk.spent)
        request = talk.requested
        if request is None or (digest := request.digest()) in seen:
            continue
        seen.add(digest)
        rounds = max(step.expected_requests - talk.spent.requests, 1)
        requests += rounds
        tokens_in += rounds * prompt_tokens(request)
        if price is not None:
            most_nano += rounds * price.most_nano(request, batch=batch)
    tokens_out = requests * step.expected_tokens_out
    tokens_cached = 0
    if logged.requests:
        tokens_out = requests * logged.tokens_out // logged.requests
        tokens_cached = tokens_in * logged.tokens_cached // max(logged.tokens_in, 1)
    usd = None
    if price is not None:
        usd = price.nano(tokens_in, tokens_out, tokens_cached, batch=batch) / NANO
    return Estimate(
        requests=requests,
        logged=logged.requests,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        usd=usd,
        usd_most=None if price is None else most_nano / NANO,
        error=ERROR,
    )
