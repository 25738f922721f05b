"""Check the client against a local endpoint, with its faults, limits and dialects."""

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
    """Return a request of the query step that is unique to this number."""
    asker = Asker(model="test-model", seed=number, structured=structured)
    requested = Talk(STEP.converse(SAMPLE.step_input, asker)).requested
    assert requested is not None
    return requested


def run_with_client(
    work: Path,
    server: LlmServer,
    function: Callable[[ChatClient], Awaitable[T]],
    limits: Limits = QUICK,
    max_usd: float | None = None,
) -> tuple[T, Governor]:
    """Run a function with an open client, whose log is in `work`."""

    async def open_client(store: Store, governor: Governor) -> T:
        endpoint = open_endpoint(server.url, limits.timeout)
        client = ChatClient(endpoint, CompletionLog(store), governor, limits, "test-model")
        try:
            return await function(client)
        finally:
            await client.close()

    with Store(work / "log.sqlite") as store:
        governor = Governor(store, "job", PRICE, max_usd)
        with server.running():
            return asyncio.run(open_client(store, governor)), governor


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

    answers, _ = run_with_client(tmp_path, server, ask_ten)
    assert len({answer.completion_digest for answer in answers}) == 1
    assert server.billing.billed == 1
    again, _ = run_with_client(tmp_path, LlmServer(), ask_once)
    assert again == answers[0]


@pytest.mark.parametrize("fault", ["rate_limited", "server_error", "timeout", "broken"])
def test_transient_faults_are_retried_and_recorded(tmp_path: Path, fault: str) -> None:
    faults = Faults(times=2)
    setattr(faults, fault, 1.0)
    server = LlmServer(faults=faults, hang=1.5)
    limits = Limits(backoff=0.01, timeout=0.6 if fault == "timeout" else 10.0)
    answer, _ = run_with_client(tmp_path, server, ask_once, limits)
    assert answer.reply.status == "answered"
    assert outcomes(tmp_path) == {fault: 2, "answered": 1}


def test_permanent_faults_end_the_request_with_a_reason(tmp_path: Path) -> None:
    server = LlmServer(faults=Faults(server_error=1.0, times=1_000))
    with pytest.raises(ReplyError, match="no reply after all retries: HTTP 500") as caught:
        run_with_client(tmp_path, server, ask_once)
    assert caught.value.reason == "endpoint_failed"
    assert outcomes(tmp_path) == {"server_error": QUICK.tries}


def test_rate_limits_do_not_count_as_failures(tmp_path: Path) -> None:
    server = LlmServer(faults=Faults(rate_limited=1.0, times=12))
    answer, _ = run_with_client(tmp_path, server, ask_once)
    assert answer.reply.status == "answered"
    assert outcomes(tmp_path)["rate_limited"] == 12 > QUICK.tries


def test_retry_after_delays_every_request(tmp_path: Path) -> None:
    server = LlmServer(faults=Faults(rate_limited=1.0, retry_after="0.3"))

    async def ask_two(client: ChatClient) -> None:
        await client.answer(request(0))
        await client.answer(request(1))

    run_with_client(tmp_path, server, ask_two)
    first, second, *_ = server.arrivals
    assert second - first >= 0.29


def test_concurrency_reaches_but_never_exceeds_its_limit(tmp_path: Path) -> None:
    server = LlmServer(latency=0.05)

    async def ask_many(client: ChatClient) -> None:
        await asyncio.gather(*(client.answer(request(number)) for number in range(40)))

    run_with_client(tmp_path, server, ask_many)
    assert server.most_in_flight == QUICK.concurrency


def test_limit_on_requests_per_minute_spaces_requests(tmp_path: Path) -> None:
    server = LlmServer()
    start_times: list[float] = []

    async def ask_five(client: ChatClient) -> None:
        # A first request opens the connection and starts the log's thread before time is measured.
        await client.answer(request(5))
        start_times.append(time.monotonic())
        await asyncio.gather(*(client.answer(request(number)) for number in range(5)))

    run_with_client(tmp_path, server, ask_five, Limits(requests_per_minute=1_200))
    # A busy machine may delay an arrival, but no request may arrive before its turn.
    for turn, arrival in enumerate(server.arrivals[1:]):
        assert arrival - start_times[0] >= turn * 0.05 - 0.005


def test_limit_on_tokens_per_minute_spaces_requests(tmp_path: Path) -> None:
    server = LlmServer()
    sent = request()
    expected = sum(len(m.content) for m in sent.messages) / 4 + sent.parameters.max_tokens

    start_times: list[float] = []

    async def ask_three(client: ChatClient) -> None:
        start_times.append(time.monotonic())
        await asyncio.gather(*(client.answer(request(number)) for number in range(3)))

    # The limit on tokens allows a request every 0.2 s.
    run_with_client(tmp_path, server, ask_three, Limits(tokens_per_minute=expected * 300))
    assert server.arrivals[1] - start_times[0] >= 0.195


def test_too_long_prompt_is_final_and_free(tmp_path: Path) -> None:
    server = LlmServer(context=10)
    answer, governor = run_with_client(tmp_path, server, ask_once)
    assert answer.reply.status == "too_long"
    assert governor.price == PRICE
    again, _ = run_with_client(tmp_path, LlmServer(), ask_once)
    assert again.reply.status == "too_long"
    assert outcomes(tmp_path) == {"not_accepted": 1}


def test_endpoint_dialect_is_learnt_and_remembered(tmp_path: Path) -> None:
    server = LlmServer(limit_field="max_completion_tokens")
    answer, _ = run_with_client(tmp_path, server, ask_once)
    assert answer.reply.status == "answered"
    with Store(tmp_path / "log.sqlite") as store:
        dialect = CompletionLog(store).dialect(server.url + "/", "test-model")
    assert dialect.limit_field == "max_completion_tokens"


def test_endpoint_without_reply_schemas_raises_an_error(tmp_path: Path) -> None:
    with pytest.raises(UnstructuredEndpointError):
        run_with_client(tmp_path, LlmServer(structured=False), ask_once)


@pytest.mark.parametrize(
    ("status", "code", "fault"),
    [
        (401, "invalid_api_key", EndpointError),
        (403, "forbidden", EndpointError),
        (404, "model_not_found", EndpointError),
        (429, "insufficient_quota", StoppedError),
    ],
)
def test_refused_run_ends_after_the_first_request(
    tmp_path: Path, status: int, code: str, fault: type[Exception]
) -> None:
    server = LlmServer(refuse=(status, code))
    with pytest.raises(fault):
        run_with_client(tmp_path, server, ask_once)
    assert sum(server.billing.seen.values()) == 1
    assert outcomes(tmp_path) == {"not_sent": 1}


def test_refused_request_is_answered_but_not_logged(tmp_path: Path) -> None:
    answer, _ = run_with_client(tmp_path, LlmServer(refuse=(400, "content_policy")), ask_once)
    assert answer.reply.status == "not_accepted"
    again, _ = run_with_client(tmp_path, LlmServer(), ask_once)
    assert again.reply.status == "answered"


def test_dead_endpoint_ends_the_run(tmp_path: Path) -> None:
    server = LlmServer(faults=Faults(server_error=1.0, times=1_000))
    limits = Limits(backoff=0.0, tries=1, gives_up_after=3)

    async def ask_repeatedly(client: ChatClient) -> None:
        for number in range(3):
            with pytest.raises(ReplyError):
                await client.answer(request(number))

    with pytest.raises(EndpointError, match="run again to continue"):
        run_with_client(tmp_path, server, ask_repeatedly, limits)


def test_replies_in_flight_are_logged_when_the_run_ends(tmp_path: Path) -> None:
    server = LlmServer(latency=0.3)

    async def cancel_in_flight(client: ChatClient) -> None:
        task = asyncio.ensure_future(client.answer(request()))
        await asyncio.to_thread(wait_until, lambda: server.in_flight > 0)
        task.cancel()

    run_with_client(tmp_path, server, cancel_in_flight)
    assert server.billing.billed == 1
    assert outcomes(tmp_path) == {"answered": 1}


def test_reply_without_usable_usage_is_charged(tmp_path: Path) -> None:
    server = LlmServer(usage=False, reported={"prompt_tokens": "many", "completion_tokens": [2]})
    answer, governor = run_with_client(tmp_path, server, ask_once)
    billed = PRICE.nano(int(server.billing.tokens_in), int(server.billing.tokens_out))
    assert billed <= answer.reply.usd_nano < governor.most_nano(request())


def test_second_run_cannot_open_a_log_in_use(tmp_path: Path) -> None:
    with (
        Store(tmp_path / "log.sqlite"),
        pytest.raises(RunError, match="in use by another run"),
    ):
        Store(tmp_path / "log.sqlite")


def test_missing_openai_key_raises_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(EndpointError, match="OPENAI_API_KEY"):
        open_endpoint(None, 1.0)


def test_retry_after_is_read_in_every_form() -> None:
    from httpx2 import Headers

    assert retry_after(Headers({"retry-after-ms": "250"})) == 0.25
    assert retry_after(Headers({})) is None
    past = "Wed, 21 Oct 2015 07:28:00 GMT"
    for text, seconds in (("1.5", 1.5), ("99999", 600), (past, 0), ("soon", None)):
        assert retry_after(Headers({"retry-after": text})) == seconds


def test_errors_with_status_200_are_retried_and_charged_as_reported(tmp_path: Path) -> None:
    overloaded: dict[str, object] = {"error": {"type": "overloaded_error", "message": "Overloaded"}}
    limited: dict[str, object] = {"error": {"code": 429}, "usage": {"prompt_tokens": 1_000}}
    server = LlmServer(bodies=[overloaded, limited])
    answer, _ = run_with_client(tmp_path, server, ask_once)
    assert answer.reply.status == "answered"
    assert outcomes(tmp_path) == {"server_error": 1, "rate_limited": 1, "answered": 1}
    assert charged_usd(tmp_path) == pytest.approx(server.billing.usd(1.0, 4.0) + 0.001)


def test_unknown_error_with_status_200_is_not_retried(tmp_path: Path) -> None:
    server = LlmServer(bodies=[{"error": {"message": "odd"}}] * 9)
    answer, _ = run_with_client(tmp_path, server, ask_once)
    assert (answer.reply.status, server.answered) == ("not_accepted", 1)
    assert charged_usd(tmp_path) == 0
