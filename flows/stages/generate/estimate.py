"""What a run of a step would ask and cost, told without asking anything."""

import msgspec

from flows.stages.generate.plan import GeneratePlan, cases_of
from flows.stages.generate.run import conversation_of
from flows.stages.generate.settings import Endpoint, asker_of
from prompts.ledger.log import CompletionLog
from prompts.ledger.prices import NANO, load_price
from prompts.ledger.store import Store
from prompts.talks.driver import Talk


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """What a run would ask and cost; `usd_most` is what the governor would reserve in all."""

    requests: int
    logged: int
    tokens_in: int
    tokens_out: int
    usd: float | None
    usd_most: float | None
    error: str


def estimate(plan: GeneratePlan, endpoint: Endpoint) -> Estimate:
    """What a run would ask and cost, without asking anything."""
    from prompts.endpoint.tokens import ERROR, prompt_tokens

    step = plan.found()
    price = load_price(plan.model or "", endpoint.prices)
    requests = logged = tokens_in = most_nano = 0
    seen: set[str] = set()
    with Store(endpoint.log, endpoint.ledger) as store:
        log = CompletionLog(store)
        asker = asker_of(plan)
        for case in cases_of(plan):
            talk = Talk(conversation_of(plan, case, asker))
            talk.replay(log.find)
            logged += talk.spent.requests
            request = talk.requested
            if request is None or (digest := request.digest()) in seen:
                continue
            seen.add(digest)
            rounds = max(step.expected_requests - talk.spent.requests, 1)
            requests += rounds
            tokens_in += rounds * prompt_tokens(request)
            if price is not None:
                most_nano += rounds * price.most_nano(request, batch=endpoint.batch)
    tokens_out = requests * step.expected_tokens_out
    usd = None
    if price is not None:
        usd = price.nano(tokens_in, tokens_out, batch=endpoint.batch) / NANO
    return Estimate(
        requests=requests,
        logged=logged,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        usd=usd,
        usd_most=None if price is None else most_nano / NANO,
        error=ERROR,
    )
