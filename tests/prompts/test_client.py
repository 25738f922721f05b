"""The client against the local endpoint: faults, limits and dialects, over loopback."""

import asyncio
import sqlite3
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import pytest

from benchloom.core.errors import RunError, StoppedError
from prompts.endpoint.client import ChatClient
from prompts.endpoint.faults import retry_after
from prompts.endpoint.limits import Limits, open_endpoint
from prompts.errors import EndpointError, ReplyError, UnstructuredEndpointError
from prompts.exchange import Answer, Request
from prompts.ledger.budget import Governor
from prompts.ledger.log import CompletionLog
from prompts.ledger.prices import Price
from prompts.ledger.store import Store
from prompts.steps.query import STEP
from prompts.talks import Asker
from prompts.talks.driver import Talk
from tests.prompts.samples.query import SAMPLE
from tests.support.llm.server import Faults, LlmServer
from tests.support.llm.world import wait_until

T = TypeVar("T")
PRICE = Price(1.0, 4.0)
QUICK = Limits(concurrency=8, backoff=0.01, most_backoff=0.02, timeout=5.0, tries=4)


def request(number: int = 0, *, structured: bool = True) -> Request:
    """A request of the query step that no other number makes."""
    asker = Asker(model="test-model", seed=number, structured=structured)
    requested = Talk(STEP.converse(SAMPLE.given, asker)).requested
    assert requested is not None
    return requested


def use(
    work: Path,
    server: LlmServer,
    doing: Callable[[ChatClient], Awaitable[T]],
    limits: Limits = QUICK,
    max_usd: float | None = None,
) -> tuple[T, Governor]:
    """Do something with an open client; its log stays in `work`."""

    async def inside(store: Store, governor: Governor) -> T:
        endpoint = open_endpoint(server.url, limits.timeout)
        client = ChatClient(endpoint, CompletionLog(store), governor, limits, "test-model")
        try:
            return await doing(client)
        finally:
            await client.close()

    with Store(work / "log.sqlite") as store:
        governor = Governor(store, "job", PRICE, max_usd)
        with server.running():
            return asyncio.run(inside(store, governor)), governor


def attempts(work: Path) -> list[tuple[str, int]]:
    """Return the outcome of every attempt in the log and its price in billionths of a dollar."""
    with closing(sqlite3.connect(work / "log.sqlite")) as connection:
        return connection.execute("SELECT outcome, charged_nano FROM attempts").fetchall()


def outcomes(work: Path) -> Counter[str]:
    return Counter(outcome for outcome, _ in attempts(work))


def charged_usd(work: Path) -> float:
    return sum(nano for _, nano in attempts(work)) / 1e9


async def ask_once(client: ChatClient) -> Answer:
    return await client.answer(request())


def test_equal_requests_in_flight_are_paid_once(tmp_path: Path) -> None:
    server = LlmServer(latency=0.05)

    async def ask_ten(client: ChatClient) -> list[Answer]:
        return await asyncio.gather(*(client.answer(request()) for _ in range(10)))

    answers, _ = use(tmp_path, server, ask_ten)
    assert len({answer.completion_digest for answer in answers}) == 1
    assert server.billing.billed == 1
    again, _ = use(tmp_path, LlmServer(), ask_once)
    assert again == answers[0]


@pytest.mark.parametrize("fault", ["rate_limited", "server_error", "timeout", "broken"])
def test_passing_faults_are_retried_and_recorded(tmp_path: Path, fault: str) -> None:
    faults = Faults(times=2)
    setattr(faults, fault, 1.0)
    server = LlmServer(faults=faults, hang=1.5)
    limits = Limits(backoff=0.01, timeout=0.6 if fault == "timeout" else 10.0)
    answer, _ = use(tmp_path, server, ask_once, limits)
    assert answer.reply.status == "answered"
    assert outcomes(tmp_path) == {fault: 2, "answered": 1}


def test_lasting_faults_give_up_with_a_reason(tmp_path: Path) -> None:
    server = LlmServer(faults=Faults(server_error=1.0, times=1_000))
    with pytest.raises(ReplyError, match="no reply after all retries: HTTP 500") as caught:
        use(tmp_path, server, ask_once)
    assert caught.value.reason == "endpoint_failed"
    assert outcomes(tmp_path) == {"server_error": QUICK.tries}


def test_rate_limits_do_not_count_as_failures(tmp_path: Path) -> None:
    server = LlmServer(faults=Faults(rate_limited=1.0, times=12))
    answer, _ = use(tmp_path, server, ask_once)
    assert answer.reply.status == "answered"
    assert outcomes(tmp_path)["rate_limited"] == 12 > QUICK.tries


def test_retry_after_holds_every_request_back(tmp_path: Path) -> None:
    server = LlmServer(faults=Faults(rate_limited=1.0, retry_after="0.3"))

    async def ask_two(client: ChatClient) -> None:
        await client.answer(request(0))
        await client.answer(request(1))

    use(tmp_path, server, ask_two)
    first, second, *_ = server.arrivals
    assert second - first >= 0.29


def test_concurrency_is_bounded_and_used(tmp_path: Path) -> None:
    server = LlmServer(latency=0.05)

    async def ask_many(client: ChatClient) -> None:
        await asyncio.gather(*(client.answer(request(number)) for number in range(40)))

    use(tmp_path, server, ask_many)
    assert server.most_in_flight == QUICK.concurrency


def test_requests_per_minute_are_spaced(tmp_path: Path) -> None:
    server = LlmServer()
    began: list[float] = []

    async def ask_five(client: ChatClient) -> None:
        # One alone first: opening the connection and the log's thread is not a part of the spacing.
        await client.answer(request(5))
        began.append(time.monotonic())
        await asyncio.gather(*(client.answer(request(number)) for number in range(5)))

    use(tmp_path, server, ask_five, Limits(requests_per_minute=1_200))
    # A busy machine may hold any arrival back, and none may come before its turn.
    for turn, arrival in enumerate(server.arrivals[1:]):
        assert arrival - began[0] >= turn * 0.05 - 0.005


def test_tokens_per_minute_are_spaced(tmp_path: Path) -> None:
    server = LlmServer()
    sent = request()
    expected = sum(len(m.content) for m in sent.messages) / 4 + sent.parameters.max_tokens

    began: list[float] = []

    async def ask_three(client: ChatClient) -> None:
        began.append(time.monotonic())
        await asyncio.gather(*(client.answer(request(number)) for number in range(3)))

    # One request per 0.2 s by its tokens.
    use(tmp_path, server, ask_three, Limits(tokens_per_minute=expected * 300))
    assert server.arrivals[1] - began[0] >= 0.195


def test_a_prompt_that_is_too_long_is_final_and_free(tmp_path: Path) -> None:
    server = LlmServer(context=10)
    answer, governor = use(tmp_path, server, ask_once)
    assert answer.reply.status == "too_long"
    assert governor.price == PRICE
    again, _ = use(tmp_path, LlmServer(), ask_once)
    assert again.reply.status == "too_long"
    assert outcomes(tmp_path) == {"not_accepted": 1}


def test_other_dialects_are_learnt_and_remembered(tmp_path: Path) -> None:
    server = LlmServer(limit_field="max_completion_tokens")
    answer, _ = use(tmp_path, server, ask_once)
    assert answer.reply.status == "answered"
    with Store(tmp_path / "log.sqlite") as store:
        dialect = CompletionLog(store).dialect(server.url + "/", "test-model")
    assert dialect.limit_field == "max_completion_tokens"


def test_an_endpoint_without_schemas_is_told_of(tmp_path: Path) -> None:
    with pytest.raises(UnstructuredEndpointError):
        use(tmp_path, LlmServer(structured=False), ask_once)


@pytest.mark.parametrize(
    ("status", "code", "fault"),
    [
        (401, "invalid_api_key", EndpointError),
        (403, "forbidden", EndpointError),
        (404, "model_not_found", EndpointError),
        (429, "insufficient_quota", StoppedError),
    ],
)
def test_a_refused_run_ends_at_once(
    tmp_path: Path, status: int, code: str, fault: type[Exception]
) -> None:
    server = LlmServer(refuse=(status, code))
    with pytest.raises(fault):
        use(tmp_path, server, ask_once)
    assert sum(server.billing.seen.values()) == 1
    assert outcomes(tmp_path) == {"not_sent": 1}


def test_a_refused_request_is_an_answer_that_is_not_logged(tmp_path: Path) -> None:
    answer, _ = use(tmp_path, LlmServer(refuse=(400, "content_policy")), ask_once)
    assert answer.reply.status == "not_accepted"
    again, _ = use(tmp_path, LlmServer(), ask_once)
    assert again.reply.status == "answered"


def test_a_dead_endpoint_ends_the_run(tmp_path: Path) -> None:
    server = LlmServer(faults=Faults(server_error=1.0, times=1_000))
    limits = Limits(backoff=0.0, tries=1, gives_up_after=3)

    async def ask_on(client: ChatClient) -> None:
        for number in range(3):
            with pytest.raises(ReplyError):
                await client.answer(request(number))

    with pytest.raises(EndpointError, match="run again to continue"):
        use(tmp_path, server, ask_on, limits)


def test_replies_in_flight_are_logged_when_the_run_ends(tmp_path: Path) -> None:
    server = LlmServer(latency=0.3)

    async def leave(client: ChatClient) -> None:
        task = asyncio.ensure_future(client.answer(request()))
        await asyncio.to_thread(wait_until, lambda: server.in_flight > 0)
        task.cancel()

    use(tmp_path, server, leave)
    assert server.billing.billed == 1
    assert outcomes(tmp_path) == {"answered": 1}


def test_a_reply_costs_something_without_a_usable_usage(tmp_path: Path) -> None:
    server = LlmServer(usage=False, reported={"prompt_tokens": "many", "completion_tokens": [2]})
    answer, governor = use(tmp_path, server, ask_once)
    billed = PRICE.nano(int(server.billing.tokens_in), int(server.billing.tokens_out))
    assert billed <= answer.reply.usd_nano < governor.most_nano(request())


def test_two_runs_cannot_write_to_one_log(tmp_path: Path) -> None:
    with (
        Store(tmp_path / "log.sqlite"),
        pytest.raises(RunError, match="in use by another run"),
    ):
        Store(tmp_path / "log.sqlite")


def test_no_key_for_openai_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(EndpointError, match="OPENAI_API_KEY"):
        open_endpoint(None, 1.0)


def test_retry_after_in_every_form() -> None:
    from httpx2 import Headers

    assert retry_after(Headers({"retry-after-ms": "250"})) == 0.25
    assert retry_after(Headers({})) is None
    past = "Wed, 21 Oct 2015 07:28:00 GMT"
    for text, seconds in (("1.5", 1.5), ("99999", 600), (past, 0), ("soon", None)):
        assert retry_after(Headers({"retry-after": text})) == seconds


def test_errors_with_status_200_are_retried_and_cost_what_they_report(tmp_path: Path) -> None:
    overloaded: dict[str, object] = {"error": {"type": "overloaded_error", "message": "Overloaded"}}
    limited: dict[str, object] = {"error": {"code": 429}, "usage": {"prompt_tokens": 1_000}}
    server = LlmServer(bodies=[overloaded, limited])
    answer, _ = use(tmp_path, server, ask_once)
    assert answer.reply.status == "answered"
    assert outcomes(tmp_path) == {"server_error": 1, "rate_limited": 1, "answered": 1}
    assert charged_usd(tmp_path) == pytest.approx(server.billing.usd(1.0, 4.0) + 0.001)


def test_an_unknown_error_with_status_200_is_asked_once(tmp_path: Path) -> None:
    server = LlmServer(bodies=[{"error": {"message": "odd"}}] * 9)
    answer, _ = use(tmp_path, server, ask_once)
    assert (answer.reply.status, server.answered) == ("not_accepted", 1)
    assert charged_usd(tmp_path) == 0
