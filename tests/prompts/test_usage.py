"""Check that plausible token counts are used and other counts are replaced by local counts."""

import msgspec
import pytest

from prompts.endpoint.usage import MAX_TOKENS, booked_tokens, count_tokens, prompt_tokens
from prompts.exchange import Message, Parameters, Request

PROMPT = "Tell in one sentence what a shortcut that waters the tomatoes at dawn does. " * 5
TEXT = "It opens the valve of the bed with the tomatoes at dawn, and closes it again."
REQUEST = Request("m", (Message("user", PROMPT),), Parameters(max_tokens=100))


def book_counts(prompt: object, completion: object, text: str = TEXT) -> tuple[int, int]:
    usage = {"prompt_tokens": prompt, "completion_tokens": completion}
    return booked_tokens(msgspec.json.encode(usage), REQUEST, text)[:2]


def test_plausible_counts_are_used_unchanged() -> None:
    assert book_counts(90, 20) == (90, 20)
    # Hidden reasoning, and an endpoint that ignores the limit, are billed too.
    assert book_counts(90, 5_000) == (90, 5_000)
    assert book_counts(90.0, 19.5) == (90, 20)
    assert book_counts(90, 0, "") == (90, 0)


@pytest.mark.parametrize(
    "count", [0, -1, -1e30, 1, 1e30, 10**40, MAX_TOKENS + 1, True, "7", [], {}]
)
def test_implausible_counts_are_replaced_by_local_counts(count: object) -> None:
    tokens_in, tokens_out = book_counts(count, count)
    assert prompt_tokens(REQUEST) <= tokens_in <= 1.3 * prompt_tokens(REQUEST)
    assert count_tokens(TEXT) <= tokens_out <= 1.3 * count_tokens(TEXT) + 1


def test_wrong_count_does_not_affect_the_other() -> None:
    assert book_counts(90, 0)[0] == 90
    assert book_counts(0, 20)[1] == 20


@pytest.mark.parametrize(
    "usage", [b"", b"null", b"[]", b"7", b'{"prompt_tokens":1e999}', b"[" * 9_000]
)
def test_unreadable_usage_counts_as_absent(usage: bytes) -> None:
    assert booked_tokens(usage, REQUEST, TEXT) == (*book_counts(None, None), 0)


@pytest.mark.parametrize(
    ("cached", "count"),
    [
        ({"prompt_tokens_details": {"cached_tokens": 64}}, 64),
        ({"prompt_cache_hit_tokens": 64, "prompt_cache_miss_tokens": 26}, 64),
        ({"cached_tokens": 64}, 64),
        ({"prompt_tokens_details": None, "cache_read_input_tokens": 64}, 64),
        ({"prompt_tokens_details": {"cached_tokens": 90}}, 90),
        ({"prompt_tokens_details": {"cached_tokens": 91}}, 0),
        ({"prompt_tokens_details": {"cached_tokens": -5}, "cached_tokens": "9"}, 0),
        ({"prompt_tokens_details": [1], "cached_tokens": True}, 0),
        ({"prompt_tokens": 2, "cached_tokens": 2}, 0),
        ({}, 0),
    ],
)
def test_cached_tokens_are_read_up_to_the_prompt_count(
    cached: dict[str, object], count: int
) -> None:
    usage = {"prompt_tokens": 90, "completion_tokens": 20, **cached}
    assert booked_tokens(msgspec.json.encode(usage), REQUEST, TEXT)[2] == count
