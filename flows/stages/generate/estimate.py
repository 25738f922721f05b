"""Estimate the requests and the cost of a step's run without sending a request."""

from flows.stages.generate.plan import GeneratePlan, cases_of
from flows.stages.generate.run import conversation_of
from flows.stages.generate.settings import Endpoint, known_asker, price_of
from prompts.ledger.log import CompletionLog
from prompts.ledger.store import Store
from prompts.results.estimate import Estimate, estimate_talks
from prompts.talks.driver import Talk

__all__ = ["Estimate", "estimate"]


def estimate(plan: GeneratePlan, endpoint: Endpoint) -> Estimate:
    """Estimate the requests and the cost of a run without sending a request."""
    price = price_of(plan, endpoint)
    with Store(endpoint.log, endpoint.ledger) as store:
        log = CompletionLog(store)
        asker = known_asker(plan, endpoint, log)
        talks = (Talk(conversation_of(plan, case, asker)) for case in cases_of(plan))
        return estimate_talks(plan.found(), talks, log.find, price, batch=endpoint.batch)
