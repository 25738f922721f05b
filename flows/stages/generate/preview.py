"""Show prompts, replies, verdicts and costs of a step for a few rows, before a whole run.

No stage folder is written. The prompts are those of the run. The completion log keeps all replies,
so that a run with the same options does not pay for them again.
"""

import asyncio
import heapq
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, aclosing
from itertools import zip_longest

import msgspec

from benchloom.core.errors import StoppedError
from benchloom.core.identity import rank
from benchloom.core.records import Rejected, Verdict
from flows.stages.generate.model import (
    AnyDriver,
    direct_driver,
    estimate,
    open_governor,
    price_of,
    resume_asker,
)
from flows.stages.generate.plan import Endpoint, GeneratePlan, cases_of
from flows.stages.generate.run import conversation_of
from prompts.endpoint.limits import can_ask
from prompts.exchange import Message, Parameters, Status
from prompts.ledger.log import CompletionLog
from prompts.ledger.prices import NANO
from prompts.ledger.store import Store
from prompts.results.estimate import Estimate
from prompts.results.rows import AnyCase, Judge, Row, examine_text, row_of, template_row
from prompts.steps import Grade, Written
from prompts.talks.driver import Talk

AnyTalk = Talk[Written | Grade]


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """The rows of a preview: the first `count` rows, or `count` rows that a seed draws."""

    count: int
    seed: int | None = None


class Exchange(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One request of a row, and its reply; a request that was not sent has no `status`."""

    messages: tuple[Message, ...]
    parameters: Parameters
    status: Status | None = None
    reply: str | None = None
    served_model: str | None = None
    from_log: bool = False


class PreviewedRow(msgspec.Struct, frozen=True, kw_only=True):
    """The text and verdicts that a run would make from one row of the input.

    If there is neither a text nor a verdict, `kept` is None; then `reason` and `message` say why,
    or the last request has no reply. `usd` is the cost of all replies, None if the price is
    unknown.
    """

    target_id: str
    source_uri: str
    exchanges: tuple[Exchange, ...]
    text: str | None = None
    category: str | None = None
    structured: str | None = None
    kept: bool | None = None
    verdicts: tuple[Verdict, ...] = ()
    reason: str | None = None
    message: str | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float | None = None


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """The rows of a preview, and a forecast of the cost for all rows of the input.

    `asked` says whether requests could be sent. `passed_over` counts the rows without a request,
    for each reason. `forecast` is None for the template writer. `stopped` says why no more requests
    were sent.
    """

    rows: tuple[PreviewedRow, ...]
    passed_over: dict[str, int]
    asked: bool
    spent_usd: float | None = None
    forecast: Estimate | None = None
    stopped: str | None = None


def preview_templates(plan: GeneratePlan, choice: Choice) -> Preview:
    """Return the texts that templates write about a few rows, with the verdicts on these texts."""
    cases, passed_over = _chosen(plan, choice)
    judge = Judge(plan.definition().kind)
    rows = [
        _with_row(
            plan,
            judge,
            case,
            template_row(plan.definition(), case),
            PreviewedRow(target_id=case.target_id, source_uri=case.source_uri, exchanges=()),
        )
        for case in cases
    ]
    return Preview(rows=tuple(rows), passed_over=passed_over, asked=False)


def preview_model(
    plan: GeneratePlan, endpoint: Endpoint, choice: Choice, *, ask: bool = True
) -> Preview:
    """Return the prompts for a few rows, and a model's replies with their verdicts.

    Without `ask`, or without a key or address of an endpoint, only logged replies are shown.

    Raises:
        EndpointError: the endpoint refuses the run.
        RunError: a maximum cost is set, but the price of the model is unknown.
    """
    is_sent = ask and can_ask(endpoint.base_url, local=endpoint.weights is not None)
    spent, stopped = None, None
    with Store(endpoint.log, endpoint.ledger) as store:
        log = CompletionLog(store)
        cases, passed_over = _chosen(plan, choice)
        talks = _replayed(plan, endpoint, log, cases)
        logged = [len(talk.answers) for talk in talks]
        if is_sent:
            talks, spent, stopped = _ask(plan, endpoint, log, cases)
        judge, priced = Judge(plan.definition().kind), price_of(plan, endpoint) is not None
        rows = [
            _preview_row(plan, judge, case, talk, from_log, priced=priced)
            for case, talk, from_log in zip(cases, talks, logged, strict=True)
        ]
    return Preview(
        rows=tuple(rows),
        passed_over=passed_over,
        asked=is_sent,
        spent_usd=spent,
        forecast=estimate(plan, endpoint),
        stopped=stopped,
    )


def _replayed(
    plan: GeneratePlan, endpoint: Endpoint, log: CompletionLog, cases: Sequence[AnyCase]
) -> list[AnyTalk]:
    """Start a conversation about each case, and continue it as far as the log contains replies."""
    asker = resume_asker(plan, endpoint, log)
    talks = [Talk(conversation_of(plan, case, asker)) for case in cases]
    for talk in talks:
        talk.replay(log.find)
    return talks


def _ask(
    plan: GeneratePlan, endpoint: Endpoint, log: CompletionLog, cases: Sequence[AnyCase]
) -> tuple[list[AnyTalk], float | None, str | None]:
    """Send the missing requests about the cases, and return the conversations.

    Also return the cost of the requests, and the reason if sending stopped early.
    """
    governor = open_governor(plan, endpoint, log.store)
    before = governor.spending().settled_usd
    talks: list[AnyTalk] = []
    stopped = None
    with ExitStack() as stack:
        driver = direct_driver(plan, endpoint, log, governor, stack=stack)
        try:
            asyncio.run(_converse(driver, cases, talks))
        except StoppedError as error:
            stopped = str(error)
    # Replies that arrived after the stop were paid for as well.
    talks += _replayed(plan, endpoint, log, cases[len(talks) :])
    spent = None if governor.price is None else governor.spending().settled_usd - before
    return talks, spent, stopped


async def _converse(driver: AnyDriver, cases: Sequence[AnyCase], talks: list[AnyTalk]) -> None:
    async with aclosing(driver.talks(cases)) as finished:
        async for _, talk in finished:
            talks.append(talk)


def _chosen(plan: GeneratePlan, choice: Choice) -> tuple[list[AnyCase], dict[str, int]]:
    """Return the cases (inputs of one text each) of a preview, and count skipped rows by reason."""
    passed_over: Counter[str] = Counter()

    def askable() -> Iterator[tuple[int, AnyCase]]:
        for position, case in enumerate(cases_of(plan)):
            if isinstance(case, Rejected):
                passed_over[case.reason] += 1
            else:
                yield position, case

    seed = choice.seed
    if seed is None:
        chosen = [pair for pair, _ in zip(askable(), range(choice.count), strict=False)]
    else:
        chosen = heapq.nsmallest(
            choice.count, askable(), key=lambda pair: rank(seed, pair[1].target_id)
        )
    cases = [case for _, case in sorted(chosen, key=lambda pair: pair[0])]
    return cases, dict(sorted(passed_over.items()))


def _preview_row(
    plan: GeneratePlan, judge: Judge, case: AnyCase, talk: AnyTalk, logged: int, *, priced: bool
) -> PreviewedRow:
    """Return a row with its requests and replies, its result and its cost.

    The first `logged` replies were already in the log.
    """
    exchanges = []
    for number, (request, answer) in enumerate(zip_longest(talk.requests, talk.answers)):
        exchanges.append(
            Exchange(
                messages=request.messages,
                parameters=request.parameters,
                status=None if answer is None else answer.reply.status,
                reply=None if answer is None else answer.reply.content,
                served_model=None if answer is None else answer.reply.served_model,
                from_log=number < logged,
            )
        )
    previewed = PreviewedRow(
        target_id=case.target_id,
        source_uri=case.source_uri,
        exchanges=tuple(exchanges),
        tokens_in=talk.spent.tokens_in,
        tokens_out=talk.spent.tokens_out,
        usd=talk.spent.usd_nano / NANO if priced else None,
    )
    if talk.requested is not None:
        return previewed
    return _with_row(plan, judge, case, row_of(plan.definition(), case, talk), previewed)


def _with_row(
    plan: GeneratePlan, judge: Judge, case: AnyCase, row: Row, previewed: PreviewedRow
) -> PreviewedRow:
    if isinstance(row, Rejected):
        return msgspec.structs.replace(previewed, reason=row.reason, message=row.message)
    if isinstance(row, Verdict):
        return msgspec.structs.replace(previewed, kept=row.kept, verdicts=(row,))
    judged_row, verdicts = judge.decide(row, examine_text(plan.definition(), case.input, row))
    return msgspec.structs.replace(
        previewed,
        text=row.text,
        category=row.category,
        structured=row.structured,
        kept=judged_row.kept,
        verdicts=tuple(verdicts),
    )
