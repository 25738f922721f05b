"""Estimate the number and cost of a run's requests from the log, without sending any request."""

from collections.abc import Iterable
from typing import Any

import msgspec

from prompts.endpoint.usage import ERROR, prompt_tokens
from prompts.ledger.prices import NANO, Price
from prompts.results.attempts import Further
from prompts.steps import AnyStep
from prompts.talks.driver import Find, Spent, Talk


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """The requests and cost of a run; `logged` of them already have replies in the log.

    `usd_most` is the total of the reservations, which no run exceeds. `error` says how far the
    estimated numbers of tokens may be off.
    """

    requests: int
    logged: int
    tokens_in: int
    tokens_out: int
    usd: float | None
    usd_most: float | None
    error: str


def estimate_talks(
    step: AnyStep,
    talks: Iterable[tuple[Talk[Any], Iterable[Further]]],
    find: Find,
    price: Price | None,
    *,
    batch: bool,
) -> Estimate:
    """Answer every conversation from the log, and estimate the requests that remain.

    The estimate includes requests that may follow the first request of a conversation. Their
    number, the length of replies and the cached share of prompts come from logged replies. Without
    logged replies, usual numbers and no cache are assumed.

    Raises:
        RunError: the extra that counts tokens is not installed.
    """
    requests = tokens_in = tokens_out = 0.0
    most_nano = rows = ended = 0
    logged = ended_talks = Spent()
    seen: set[str] = set()
    for talk, further in talks:
        talk.replay(find)
        logged = logged.plus(talk.spent)
        request = talk.requested
        if request is None:
            ended_talks, ended = ended_talks.plus(talk.spent), ended + bool(talk.spent.requests)
            continue
        if (digest := request.digest()) in seen:
            continue
        seen.add(digest)
        rows += 1
        rounds = max(step.expected_requests - talk.spent.requests, 1)
        pending = Further(request, step.expected_tokens_out, rounds, rounds)
        for entry in (pending, *further):
            requests += entry.expected
            tokens_in += entry.expected * prompt_tokens(entry.request)
            tokens_out += entry.expected * entry.reply_tokens
            if price is not None:
                most_nano += entry.most * price.most_nano(entry.request, batch=batch)
    if ended and requests > rows * step.expected_requests:
        # Further requests follow: as many as about the rows that are done.
        share = rows * ended_talks.requests / ended / requests
        requests, tokens_in = requests * share, tokens_in * share
    tokens_cached = 0.0
    if logged.requests:
        tokens_out = requests * logged.tokens_out / logged.requests
        tokens_cached = tokens_in * logged.tokens_cached / max(logged.tokens_in, 1)
    tokens = (round(tokens_in), round(tokens_out), round(tokens_cached))
    return Estimate(
        requests=round(requests),
        logged=logged.requests,
        tokens_in=tokens[0],
        tokens_out=tokens[1],
        usd=None if price is None else price.nano(*tokens, batch=batch) / NANO,
        usd_most=None if price is None else most_nano / NANO,
        error=ERROR,
    )
