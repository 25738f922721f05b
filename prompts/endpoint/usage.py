"""Count the tokens to book for a reply: the endpoint's count if plausible, else our own count.

A count is plausible if it is at least one token per eight bytes of the text (measured tokenizers
make one per two to five bytes) and at most `MAX_TOKENS`. An absent, zero, negative or absurd count
is replaced by our own count. If the replaced count is a positive number up to `MAX_TOKENS`, the
higher one of the two is booked. So an endpoint cannot make its replies free. Cached tokens are
believed if they are no more than the prompt tokens of a plausible count. docs/decisions/0041 has
the reasons.
"""

import math
import warnings
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from benchloom.core.errors import extra
from prompts.exchange import Request
from prompts.ledger.prices import most_tokens_in

if TYPE_CHECKING:
    import bpe_openai

ENCODING = "o200k_base"
PER_MESSAGE = 4
PER_REQUEST = 3
ERROR = "counted for o200k models; cl100k came out 3 % higher, Llama 2's tokenizer 24 %"
"""The error of our token count, as estimates show it; docs/decisions/0041 has the measurements."""
BYTES_PER_TOKEN = 8
MAX_TOKENS = 10_000_000
"""More tokens than any model reads or writes in one request."""
MARGIN = 1.25
"""Factor for our own count, because Llama 2's tokenizer makes 24 % more tokens than the tokenizer
that counts here."""


class _Reported(msgspec.Struct, frozen=True):
    """Token counts as an endpoint reports them; the values may have any type."""

    prompt_tokens: object = None
    completion_tokens: object = None
    # OpenAI and most others; DeepSeek; Moonshot; gateways to Anthropic.
    prompt_tokens_details: msgspec.Raw = msgspec.Raw()
    prompt_cache_hit_tokens: object = None
    cached_tokens: object = None
    cache_read_input_tokens: object = None

    def cached(self) -> int:
        """Return the number of prompt tokens read from a cache; the field differs by provider."""
        details = _read(bytes(self.prompt_tokens_details)).cached_tokens
        counts = (
            details,
            self.prompt_cache_hit_tokens,
            self.cached_tokens,
            self.cache_read_input_tokens,
        )
        return next((sane for count in counts if (sane := _sane(count))), 0)


def booked_tokens(usage: bytes, request: Request, content: str) -> tuple[int, int, int]:
    """Return the prompt tokens, reply tokens and cached prompt tokens to book for one reply.

    Args:
        usage: the JSON value under "usage", empty when there is none.
        request: the request that was sent.
        content: the text of the reply.
    """
    reported = _read(usage)
    # Endpoints may not count the schema of the reply.
    prompt_bytes = sum(len(message.content.encode()) for message in request.messages)
    tokens_in = _plausible_count(reported.prompt_tokens, prompt_bytes)
    tokens_out = _plausible_count(reported.completion_tokens, len(content.encode()))
    tokens_cached = 0 if tokens_in is None else cached_among(tokens_in, reported.cached())
    if tokens_in is None:
        counted = min(math.ceil(prompt_tokens(request) * MARGIN), most_tokens_in(request))
        tokens_in = max(counted, _sane(reported.prompt_tokens))
    if tokens_out is None:
        counted = min(math.ceil(count_tokens(content) * MARGIN), len(content.encode()))
        tokens_out = max(counted, _sane(reported.completion_tokens))
    return tokens_in, tokens_out, tokens_cached


def reported_tokens(usage: bytes) -> tuple[int, int, int]:
    """Return the reported numbers of prompt, reply and cached tokens; missing numbers are 0."""
    reported = _read(usage)
    tokens_in = _sane(reported.prompt_tokens)
    return tokens_in, _sane(reported.completion_tokens), cached_among(tokens_in, reported.cached())


def cached_among(tokens_in: int, tokens_cached: int) -> int:
    """Return the reported number of cached tokens, or 0 if it exceeds the prompt's tokens."""
    return tokens_cached if tokens_cached <= tokens_in else 0


def _read(usage: bytes) -> _Reported:
    try:
        return msgspec.json.decode(usage, type=_Reported)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return _Reported()


def _plausible_count(reported: object, size: int) -> int | None:
    """Return a reported count if it is plausible for a text of `size` bytes, or None."""
    sane = _sane(reported)
    is_zero = type(reported) is int and reported == 0
    possible = sane * BYTES_PER_TOKEN >= size and (sane > 0 or is_zero)
    return sane if possible else None


def _sane(reported: object) -> int:
    """Return a reported count as a whole number, or 0 if it is invalid, negative or absurd."""
    if isinstance(reported, bool) or not isinstance(reported, int | float):
        return 0
    return math.ceil(reported) if 0 < reported <= MAX_TOKENS else 0


@cache
def _encoding() -> "bpe_openai.Encoding":
    """Load the tokenizer; its import costs 60 MiB, so it is loaded only when tokens are counted."""
    with warnings.catch_warnings():
        # The package opens its tables by a function that Python 3.11 calls deprecated.
        warnings.simplefilter("ignore", DeprecationWarning)
        with extra("llm", "token counts"):
            import bpe_openai
    return bpe_openai.get_encoding(ENCODING)


def count_tokens(text: str) -> int:
    """Count the tokens of a text in OpenAI's o200k encoding."""
    return len(_encoding().encode_ordinary(text))


def prompt_tokens(request: Request) -> int:
    """Return the expected prompt tokens of a request, including chat format and reply schema."""
    texts = [message.content for message in request.messages]
    if request.parameters.reply_schema is not None:
        texts.append(request.parameters.reply_schema)
    return PER_REQUEST + sum(count_tokens(text) + PER_MESSAGE for text in texts)
