"""An endpoint that bills like a provider, independent of the accounting that it checks.

It counts tokens and finds cached prefixes with its own code, and adds every billed reply to a bill
in whole micro-dollars. Prices are whole micro-dollars per token, so no amount is rounded.
"""

import hashlib
import math
import re
from collections import OrderedDict
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from tests.support.llm.server import Json, LlmServer

FIRST_CACHED = 1_024
BLOCK = 128
MAX_BLOCKS = 20_000
"""Blocks of prompts in the cache; the least recently read block is evicted."""
_TOKEN = re.compile(r" ?[^\W\d_]+| ?\d{1,3}| ?[^\w\s]{1,3}|\s+|_")
"""Words, numbers and marks, whose count is within a tenth of that of models' tokenizers."""


class Prices(NamedTuple):
    """Prices in micro-dollars per token."""

    prompt: int
    cached: int
    reply: int


DIRECT, BATCH = Prices(20, 2, 160), Prices(10, 1, 80)
PRICE_TABLE = (
    "models:\n  test-model: {input: 20.0, output: 160.0, batch: 0.5, cached: 2.0, "
    "batch_cached: 1.0}\n"
)
"""The same prices in the form of our price tables."""


class Billed(NamedTuple):
    """A line of the bill with a reply, its tokens and its price in micro-dollars.

    `purpose` is inferred from the prompt and uses the ledger's names.
    """

    in_batch: bool
    prompt: int
    cached: int
    reply: int
    micro: int
    purpose: str


@dataclass
class Provider(LlmServer):
    """An endpoint that bills the tokens of replies and thoughts, and cached tokens at a tenth.

    `most_thoughts` is the largest number of tokens that the model thinks about a request. The
    number depends on the request; a few requests take many times more than others. `careless` is
    the share of texts that leave out values, `strict` the share of texts that the judge rejects.
    """

    most_thoughts: int = 0
    careless: float = 0.0
    strict: float = 0.0
    caches: bool = True
    bill: list[Billed] = field(default_factory=list)
    _blocks: OrderedDict[bytes, None] = field(default_factory=OrderedDict)

    @property
    def micro(self) -> int:
        """Return the total of the bill in micro-dollars."""
        return sum(line.micro for line in self.bill)

    def _reply(self, fields: Json, digest: str, fault: str | None, share: float = 1.0) -> Json:
        reply: Any = super()._reply(fields, digest, fault, share)
        choice = reply["choices"][0]
        limit: Any = fields[self.limit_field]
        prompt = _TOKEN.findall(_text_of(fields))
        thoughts = self._thoughts(digest)
        tokens = thoughts + len(_TOKEN.findall(choice["message"]["content"]))
        if tokens > limit or choice["finish_reason"] == "length":
            if thoughts >= limit:
                choice["message"]["content"] = ""
            choice["finish_reason"], tokens = "length", limit
        cached = self._cached(prompt)
        price = DIRECT if share == 1.0 else BATCH
        micro = (len(prompt) - cached) * price.prompt + cached * price.cached + tokens * price.reply
        self.bill.append(
            Billed(share != 1.0, len(prompt), cached, tokens, micro, _purpose_of(fields))
        )
        reply["usage"] = {
            "prompt_tokens": len(prompt),
            "completion_tokens": tokens,
            "total_tokens": len(prompt) + tokens,
            "prompt_tokens_details": {"cached_tokens": cached},
            "completion_tokens_details": {"reasoning_tokens": min(thoughts, limit)},
        }
        final_reply: Json = reply
        return final_reply

    def is_careless(self, fields: Json) -> bool:
        """Return whether the text of this request leaves out its values."""
        return _luck(fields) < self.careless

    def _content(self, fields: Json, fault: str | None) -> str:
        content = super()._content(fields, fault)
        if fault is None and _task_of(fields) == "faithfulness" and _luck(fields) < self.strict:
            return content.replace('"asked":true', '"asked":false')
        return content

    def _thoughts(self, digest: str) -> int:
        """Return the tokens of thought about a request, mostly below a tenth of the maximum."""
        draw = int(digest[16:24], 16) / 0xFFFFFFFF
        return self.thinks + math.floor(self.most_thoughts * 10 ** (2 * (draw - 1)))

    def _cached(self, prompt: list[str]) -> int:
        """Return the tokens of the longest prefix in the cache, and add the prompt to the cache."""
        if len(prompt) < FIRST_CACHED or not self.caches:
            return 0
        digest = hashlib.sha256()
        cached, is_known = 0, True
        for end in range(BLOCK, len(prompt) + 1, BLOCK):
            digest.update(msgspec.json.encode(prompt[end - BLOCK : end]))
            if end < FIRST_CACHED:
                continue
            key = digest.digest()
            is_known = is_known and key in self._blocks
            cached = end if is_known else cached
            self._blocks[key] = None
            self._blocks.move_to_end(key)
        for key in list(islice(self._blocks, max(0, len(self._blocks) - MAX_BLOCKS))):
            del self._blocks[key]
        return cached


def _luck(fields: Json) -> float:
    return int(hashlib.sha256(msgspec.json.encode(fields)).hexdigest()[:8], 16) / 0xFFFFFFFF


def _task_of(fields: Json) -> str:
    messages: Any = fields["messages"]
    return str(messages[0]["content"]).partition("\n")[0].removeprefix("Task: ")


def _purpose_of(fields: Json) -> str:
    """Return the purpose of a prompt: judge, repair, candidate or step."""
    messages: Any = fields["messages"]
    if _task_of(fields) == "faithfulness":
        return "judge"
    if any("could not recover" in message["content"] for message in messages[2:]):
        return "repair"
    return "candidate" if "seed" in fields else "step"


def _text_of(fields: Json) -> str:
    """Return the text that the model reads: the form of the reply, then the messages in order."""
    messages: Any = fields["messages"]
    parts = [msgspec.json.encode(fields.get("response_format")).decode()]
    parts += [f"<{message['role']}>{message['content']}" for message in messages]
    return "".join(parts)
