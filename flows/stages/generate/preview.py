"""Preview a step on a few rows: prompts, replies, verdicts and costs, and no stage folder.

The prompts are those of the run, and replies that were paid for are in the completion log: a run
with the same options finds them there.
"""

import asyncio
import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, aclosing
from hashlib import blake2b

import msgspec

from benchloom.core.errors import StoppedError
from benchloom.core.records import Rejected, Verdict
from flows.stages.generate.model import (
    direct_driver,
    estimate,
    open_governor,
    price_of,
    resume_asker,
)
from flows.stages.generate.plan import Endpoint, GeneratePlan, cases_of
from flows.stages.generate.previewed import Choice, Exchange, Preview, PreviewedRow
from flows.stages.generate.run import conversation_of
from prompts.endpoint.limits import can_ask
from prompts.exchange import Answer, Request
from prompts.ledger.log import CompletionLog
from prompts.ledger.prices import NANO
from prompts.ledger.store import Store
from prompts.results.rows import AnyCase, Judge, Row, row_of, template_row
from prompts.steps import Grade, Written
from prompts.talks import Asker, Conversation
from prompts.talks.driver import Driver, Find, Talk


class _Conversed:
    """A row with the requests of its conversation, and the answers so far."""

    def __init__(self, plan: GeneratePlan, case: AnyCase) -> None:
        self._plan = plan
        self.case = case
        self.requests: list[Request] = []
        self.answers: list[Answer] = []
        self.talk: Talk[Written | Grade] | None = None
        self.logged = 0

    def begin(self, asker: Asker) -> Conversation[Written | Grade]:
        """Start the conversation, from its first request each time."""
        self.requests, self.answers = [], []
        return self._record(conversation_of(self._plan, self.case, asker))

    def _record(self, conversation: Conversation[Written | Grade]) -> Conversation[Written | Grade]:
        try:
            request = next(conversation)
            while True:
                self.requests.append(request)
                answer = yield request
                self.answers.append(answer)
                request = conversation.send(answer)
        except StopIteration as over:
            result: Written | Grade = over.value
            return result

    def replay(self, asker: Asker, find: Find) -> None:
        """Continue the conversation as far as the log has its answers."""
        self.talk = Talk(self.begin(asker))
        self.talk.replay(find)


def preview_templates(plan: GeneratePlan, choice: Choice) -> Preview:
    """Return the texts of the offline writer for a few rows, with their verdicts."""
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
        RunError: the price that a cap needs is unknown.
    """
    is_sent = ask and can_ask(endpoint.base_url, local=endpoint.weights is not None)
    spent, stopped = None, None
    with Store(endpoint.log, endpoint.ledger) as store:
        log = CompletionLog(store)
        cases, passed_over = _chosen(plan, choice)
        rows = [_Conversed(plan, case) for case in cases]
        asker = resume_asker(plan, endpoint, log)
        for row in rows:
            row.replay(asker, log.find)
            row.logged = len(row.answers)
        if is_sent:
            spent, stopped = _ask(plan, endpoint, log, rows)
        judge, priced = Judge(plan.definition().kind), price_of(plan, endpoint) is not None
        previewed = tuple(_preview_row(plan, judge, row, priced=priced) for row in rows)
    return Preview(
        rows=previewed,
        passed_over=passed_over,
        asked=is_sent,
        spent_usd=spent,
        forecast=estimate(plan, endpoint),
        stopped=stopped,
    )


def _ask(
    plan: GeneratePlan, endpoint: Endpoint, log: CompletionLog, rows: Sequence[_Conversed]
) -> tuple[float | None, str | None]:
    """Finish the conversations of rows; return what that cost, and why it stopped early."""
    governor = open_governor(plan, endpoint, log.store)
    before = governor.spending().settled_usd
    stopped = None
    with ExitStack() as stack:
        driver = direct_driver(_Conversed.begin, plan, endpoint, log, governor, stack=stack)
        try:
            asyncio.run(_converse(driver, rows))
        except StoppedError as error:
            stopped = str(error)
    # Replies that arrived after the stop were paid for as well.
    asker = resume_asker(plan, endpoint, log)
    for row in rows:
        if row.talk is None:
            row.replay(asker, log.find)
    spent = None if governor.price is None else governor.spending().settled_usd - before
    return spent, stopped


async def _converse(
    driver: Driver[_Conversed, Written | Grade], rows: Iterable[_Conversed]
) -> None:
    """Let a driver finish the conversation of every row."""
    for row in rows:
        row.talk = None
    async with aclosing(driver.talks(rows)) as talks:
        async for row, talk in talks:
            row.talk = talk


def _chosen(plan: GeneratePlan, choice: Choice) -> tuple[list[AnyCase], dict[str, int]]:
    """Return the cases of a preview in the order of the input, and count rows passed over."""
    passed_over: Counter[str] = Counter()

    def askable() -> Iterator[tuple[int, AnyCase]]:
        for position, case in enumerate(cases_of(plan)):
            if isinstance(case, Rejected):
                passed_over[case.reason] += 1
            else:
                yield position, case

    if choice.seed is None:
        chosen = [pair for pair, _ in zip(askable(), range(choice.count), strict=False)]
    else:
        chosen = heapq.nsmallest(
            choice.count, askable(), key=lambda pair: _lot(choice.seed, pair[1].target_id)
        )
    cases = [case for _, case in sorted(chosen, key=lambda pair: pair[0])]
    return cases, dict(sorted(passed_over.items()))


def _lot(seed: int | None, target_id: str) -> bytes:
    """Return the sort key of a row in a random draw by seed."""
    return blake2b(f"{seed} {target_id}".encode(), digest_size=16).digest()


def _preview_row(
    plan: GeneratePlan, judge: Judge, row: _Conversed, *, priced: bool
) -> PreviewedRow:
    """Return a row with its exchanges, its result and its cost."""
    exchanges = []
    for number, request in enumerate(row.requests):
        answer = row.answers[number] if number < len(row.answers) else None
        exchanges.append(
            Exchange(
                messages=request.messages,
                parameters=request.parameters,
                status=None if answer is None else answer.reply.status,
                reply=None if answer is None else answer.reply.content,
                served_model=None if answer is None else answer.reply.served_model,
                from_log=number < row.logged,
            )
        )
    talk = row.talk
    spent = None if talk is None else talk.spent
    previewed = PreviewedRow(
        target_id=row.case.target_id,
        source_uri=row.case.source_uri,
        exchanges=tuple(exchanges),
        tokens_in=0 if spent is None else spent.tokens_in,
        tokens_out=0 if spent is None else spent.tokens_out,
        usd=None if spent is None or not priced else spent.usd_nano / NANO,
    )
    if talk is None or talk.requested is not None:
        return previewed
    return _with_row(plan, judge, row.case, row_of(plan.definition(), row.case, talk), previewed)


def _with_row(
    plan: GeneratePlan, judge: Judge, case: AnyCase, row: Row, previewed: PreviewedRow
) -> PreviewedRow:
    """Add the result of a row and the verdicts on it."""
    if isinstance(row, Rejected):
        return msgspec.structs.replace(previewed, reason=row.reason, message=row.message)
    if isinstance(row, Verdict):
        return msgspec.structs.replace(previewed, kept=row.kept, verdicts=(row,))
    judged, verdicts = judge.judged(plan.definition(), case.input, row)
    return msgspec.structs.replace(
        previewed,
        text=row.text,
        category=row.category,
        structured=row.structured,
        kept=judged.kept,
        verdicts=tuple(verdicts),
    )
