"""Check that prices and reserved upper bounds cover whatever can be billed."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchloom.core.errors import RunError
from prompts.endpoint.usage import count_tokens, prompt_tokens
from prompts.errors import BudgetError
from prompts.exchange import Message, Parameters, Request
from prompts.ledger.budget import Governor
from prompts.ledger.prices import Price, load_price, most_tokens_in
from prompts.ledger.store import Store


def test_longest_matching_name_decides_the_price() -> None:
    mini, full = load_price("gpt-4o-mini-2024-07-18"), load_price("gpt-4o-2024-08-06")
    assert mini is not None
    assert full is not None
    assert mini.input < full.input
    assert load_price("unheard-of") is None
    local = load_price("local-llama")
    assert local is not None
    assert local.nano(10**6, 10**6) == 0


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("models: {m: {input: -1, output: 1}}", "not within 0 to 10000"),
        ("models: {m: {input: .inf, output: 1}}", "not within 0"),
        ("models: {m: {input: .nan, output: 1}}", "not within 0"),
        ("models: {m: {input: 1}}", "output"),
        ("models: [", "yaml"),
        ("models: {m: {input: 1.0e+300, output: 1}}", "not within 0"),
        ("models: {m: {input: 1, output: 1, extra: 1}}", "extra"),
        ("models: {m: {input: 1, output: 1, cached: -1}}", "not within 0"),
        ("models: {m: {input: 1, output: 1, cached: 2}}", "in 'm', cached tokens cost more"),
        ("models: {m: {input: 1, output: 1, batch: 0.5, batch_cached: 0.6}}", "cost more"),
    ],
)
def test_invalid_price_table_raises_an_error(tmp_path: Path, text: str, fault: str) -> None:
    path = tmp_path / "yaml-prices"
    path.write_text(text)
    with pytest.raises(RunError, match=fault):
        load_price("m", path)


def test_costs_are_rounded_up() -> None:
    price = Price(0.15, 0.6, 0.5)
    assert price.nano(1, 0) == 150
    assert price.nano(3, 0, batch=True) == 225
    assert Price(0.0001, 0.0).nano(1, 0) == 1
    assert Price(0.1, 0.2).nano(1, 1) == 300


def test_cached_tokens_have_separate_prices_in_batches_too() -> None:
    price = Price(1.0, 4.0, 0.5, cached=0.1, batch_cached=0.05)
    assert price.nano(1_000, 10, 900) == 100_000 + 90_000 + 40_000
    assert price.nano(1_000, 10, 900, batch=True) == (100_000 + 90_000 + 40_000) // 2
    undiscounted = Price(1.0, 4.0, 0.5, cached=0.1)
    assert undiscounted.nano(1_000, 10, 900, batch=True) == undiscounted.nano(1_000, 10, batch=True)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=300), st.text(max_size=300))
def test_token_bound_is_never_below_the_count(system: str, user: str) -> None:
    messages = (Message("system", system), Message("user", user))
    request = Request("m", messages, Parameters(max_tokens=1, reply_schema='{"type":"object"}'))
    assert count_tokens(system) <= len(system.encode())
    assert prompt_tokens(request) <= most_tokens_in(request)


def test_special_tokens_in_texts_count_as_text() -> None:
    assert count_tokens("a <|endoftext|> b") > 3


def test_cap_refuses_a_reservation_before_it_is_written(tmp_path: Path) -> None:
    with Store(tmp_path / "log.sqlite") as store:
        governor = Governor(store, "job", Price(1.0, 1.0), 0.0000003)
        for _ in range(3):
            store.write(lambda c: governor.reserve_in(c, "request:1", 100))
        with pytest.raises(BudgetError, match="--max-usd"):
            store.write(lambda c: governor.reserve_in(c, "request:1", 1))
        assert governor.spending().open_attempts == 3
        # Another job has a separate cap, and the same job, reopened, has the rest of its cap.
        other = Governor(store, "other", Price(1.0, 1.0), 0.0000003)
        store.write(lambda c: other.reserve_in(c, "request:1", 300))
        again = Governor(store, "job", Price(1.0, 1.0), 0.0000004)
        store.write(lambda c: again.reserve_in(c, "request:1", 100))
        with pytest.raises(BudgetError):
            store.write(lambda c: again.reserve_in(c, "request:1", 1))


def request_of(words: int) -> Request:
    return Request("m", (Message("user", "word " * words),), Parameters(max_tokens=9))


def test_batch_is_cut_to_the_requests_within_the_cap(tmp_path: Path) -> None:
    requests = [request_of(10), request_of(10), request_of(200)]
    price = Price(1.0, 1.0, 0.5)
    costs = [price.most_nano(request, batch=True) for request in requests]
    assert costs[0] < price.most_nano(requests[0])
    for cap, count in ((sum(costs), 3), (sum(costs) - 1, 2), (costs[0], 1)):
        with Store(tmp_path / f"{cap}.sqlite") as store:
            governor = Governor(store, "job", price, (cap + 0.5) / 1e9)
            assert governor.fitting(requests) == requests[:count]
    with Store(tmp_path / "less.sqlite") as store:
        governor = Governor(store, "job", price, (costs[0] - 0.5) / 1e9)
        with pytest.raises(BudgetError, match="--max-usd"):
            governor.fitting(requests)


def test_abandoned_attempt_is_charged_as_reported(tmp_path: Path) -> None:
    with Store(tmp_path / "log.sqlite") as store:
        governor = Governor(store, "job", Price(1.0, 1.0))
        attempt = governor.reserve(request_of(10))
        governor.give_up(attempt, "timeout", 7)
        spending = governor.spending()
    assert (spending.open_attempts, spending.outcomes) == (0, {"timeout": 1})
    assert spending.settled_usd == pytest.approx(7e-9)


def test_attempt_of_a_killed_run_is_bounded_by_the_next_answer(tmp_path: Path) -> None:
    price, request = Price(1.0, 1.0), request_of(10)
    with Store(tmp_path / "log.sqlite") as store:
        killed = Governor(store, "job", price)
        attempt = killed.reserve(request)
        governor = Governor(store, "job", price)
        governor.bound_lost(request_of(11), 12)
        assert governor.spending().open_usd == pytest.approx(price.most_nano(request) / 1e9)
        governor.bound_lost(request, 12)
        spending = governor.spending()
        # The bound is the price of the answer's prompt tokens and a reply of maximum length.
        assert spending.outcomes == {"lost": 1}
        assert spending.settled_usd == pytest.approx(21e-6)
        # If the killed run turns out to be alive, the attempt's cost replaces the bound.
        killed.give_up(attempt, "timeout", 7)
        assert killed.spending().settled_usd == pytest.approx(7e-9)
        Governor(store, "job", price)
