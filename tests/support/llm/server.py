"""A local OpenAI-compatible endpoint with chat completions, files, batches and injected faults.

It uses the real wire format, so tests run the real client over loopback. It answers every prompt of
this project as a good, an obedient or a careless model would, reports usage, and counts what it
would have billed. `python -m tests.support.llm.server` runs it by hand.
"""

import asyncio
import hashlib
import re
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from prompts.exchange import BatchEnd
from tests.support.llm.model import write_reply

Json = dict[str, object]


@dataclass
class Faults:
    """The share of first attempts that fail, for each kind of fault.

    The content of a request decides its fault. `truncated` and `invalid` are faults of the model
    and occur on every equal request; the others end after `times` attempts.
    """

    rate_limited: float = 0.0
    server_error: float = 0.0
    timeout: float = 0.0
    broken: float = 0.0
    truncated: float = 0.0
    invalid: float = 0.0
    times: int = 1
    retry_after: str = "0.02"


@dataclass
class Billing:
    """The bill of the endpoint: replies by request, tokens, and every request it received."""

    replies: Counter[str] = field(default_factory=Counter)
    seen: Counter[str] = field(default_factory=Counter)
    tokens_in: float = 0
    tokens_out: float = 0
    tokens_cached: float = 0
    faults: Counter[str] = field(default_factory=Counter)

    @property
    def billed(self) -> int:
        """Return the number of billed requests."""
        return self.replies.total()

    def usd(self, usd_in: float, usd_out: float, usd_cached: float = 0.0) -> float:
        """Return the bill at prices per million tokens; a token of a batch counts half."""
        tokens_in = self.tokens_in - self.tokens_cached
        return (
            tokens_in * usd_in + self.tokens_cached * usd_cached + self.tokens_out * usd_out
        ) / 1e6


@dataclass
class LlmServer:
    """Settings and state of the endpoint; tests may change the settings while it runs."""

    latency: float = 0.0
    hang: float = 5.0
    faults: Faults = field(default_factory=Faults)
    structured: bool = True
    limit_field: str = "max_tokens"
    context: int = 1_000_000
    usage: bool = True
    reported: Json | None = None
    fixed: str | None = None
    obedient: dict[str, str] = field(default_factory=dict)
    refuse: tuple[int, str] | None = None
    bodies: list[Json] = field(default_factory=list)
    thinks: int = 0
    cached_share: float = 0.0
    batch_polls: int = 1
    batch_end: BatchEnd = "completed"
    lose_lines: float = 0.0
    fail_lines: float = 0.0
    billing: Billing = field(default_factory=Billing)
    url: str = ""
    in_flight: int = 0
    answered: int = 0
    most_in_flight: int = 0
    arrivals: list[float] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    batches: dict[str, Json] = field(default_factory=dict)

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/v1/chat/completions", self.chat, methods=["POST"]),
                Route("/v1/files", self.upload, methods=["POST"]),
                Route("/v1/files/{file}/content", self.content),
                Route("/v1/batches", self.create_batch, methods=["POST"]),
                Route("/v1/batches", self.list_batches, methods=["GET"]),
                Route("/v1/batches/{batch}", self.read_batch),
            ]
        )

    # -- chat completions

    async def chat(self, request: Request) -> Response:
        body = await request.body()
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        self.arrivals.append(time.monotonic())
        try:
            return await self._chat(body)
        finally:
            self.in_flight -= 1
            self.answered += 1

    async def _chat(self, body: bytes) -> Response:
        fields: Json = msgspec.json.decode(body)
        digest = hashlib.sha256(body).hexdigest()
        fault = self._fault(digest)
        self.billing.seen[digest] += 1
        refusal = self._refusal(fields)
        if refusal is not None:
            return refusal
        if fault is not None:
            self.billing.faults[fault] += 1
        if fault == "rate_limited":
            headers = {"retry-after": self.faults.retry_after} if self.faults.retry_after else {}
            return _error(429, "slow down", "rate_limit_exceeded", headers)
        if fault == "server_error":
            return _error(500, "something broke", "server_error")
        if self.bodies:
            # A gateway that reports errors with status 200.
            return _json(self.bodies.pop(0))
        # From here on the reply is billed, even if the client does not wait for it.
        reply = self._reply(fields, digest, fault)
        if fault == "timeout":
            await asyncio.sleep(self.hang)
        elif self.latency:
            await asyncio.sleep(self.latency)
        if fault == "broken":
            # The reply has fewer bytes than announced, as when the connection breaks.
            return Response(b'{"choices"', headers={"content-length": "400"})
        return Response(msgspec.json.encode(reply), media_type="application/json")

    def _refusal(self, fields: Json) -> Response | None:
        """Return the error of a real endpoint for a refused request, or None if it is accepted."""
        if self.refuse is not None:
            status, code = self.refuse
            return _error(status, f"refused: {code}", code)
        if not self.structured and "response_format" in fields:
            return _error(400, "response_format of type json_schema is not supported", "invalid")
        opposite_field = {
            "max_tokens": "max_completion_tokens",
            "max_completion_tokens": "max_tokens",
        }
        unsupported_field = opposite_field[self.limit_field]
        if unsupported_field in fields:
            text = (
                f"Unsupported parameter: '{unsupported_field}'. Use '{self.limit_field}' instead."
            )
            return _error(400, text, "unsupported_parameter")
        if _size(fields) // 4 > self.context:
            text = f"This model's maximum context length is {self.context} tokens."
            return _error(400, text, "context_length_exceeded")
        return None

    def _fault(self, digest: str) -> str | None:
        draw = int(digest[:8], 16) / 0xFFFFFFFF
        transient = self.billing.seen[digest] >= self.faults.times
        for name in ("truncated", "invalid", "rate_limited", "server_error", "timeout", "broken"):
            share = float(getattr(self.faults, name))
            if draw < share:
                lasting = name in {"truncated", "invalid"}
                return name if lasting or not transient else None
            draw -= share
        return None

    def _reply(self, fields: Json, digest: str, fault: str | None, share: float = 1.0) -> Json:
        content = self._content(fields, fault)
        limit = fields[self.limit_field]
        assert isinstance(limit, int)
        tokens_in = _size(fields) // 4
        tokens_out = min(len(content) // 4 + 1 + self.thinks, limit)
        if self.thinks >= limit:
            content, fault = "", "truncated"
        if fault == "truncated":
            content, tokens_out = content[: len(content) // 2], limit
        self.billing.replies[digest] += 1
        self.billing.tokens_in += tokens_in * share
        self.billing.tokens_out += tokens_out * share
        tokens_cached = int(tokens_in * self.cached_share)
        self.billing.tokens_cached += tokens_cached * share
        reply: Json = {
            "id": f"chatcmpl-{digest[:12]}",
            "object": "chat.completion",
            "created": 0,
            "model": fields["model"],
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": content},
                    "finish_reason": "length" if fault == "truncated" else "stop",
                }
            ],
        }
        if self.reported is not None:
            reply["usage"] = self.reported
        elif self.usage:
            reply["usage"] = {
                "prompt_tokens": tokens_in,
                "completion_tokens": tokens_out,
                "total_tokens": tokens_in + tokens_out,
                "completion_tokens_details": {"reasoning_tokens": min(self.thinks, limit)},
                "prompt_tokens_details": {"cached_tokens": tokens_cached},
            }
        return reply

    def _content(self, fields: Json, fault: str | None) -> str:
        if fault == "invalid":
            return 'Sure, here it is: {"query": oops'
        if self.fixed is not None:
            return self.fixed
        text = str(fields["messages"])
        for marker, obeyed in self.obedient.items():
            if marker in text:
                return obeyed
        return write_reply(fields, careless=self.is_careless(fields))

    def is_careless(self, fields: Json) -> bool:  # noqa: ARG002  providers override it and use the fields
        """Return whether a text leaves out the values that it has to state."""
        return False

    # -- files and batches

    async def upload(self, request: Request) -> Response:
        body = await request.body()
        boundary = re.search(r"boundary=([^;]+)", request.headers["content-type"])
        assert boundary is not None
        parts = body.split(b"--" + boundary.group(1).strip('"').encode())
        (content,) = [
            part.partition(b"\r\n\r\n")[2].removesuffix(b"\r\n")
            for part in parts
            if b"filename=" in part.partition(b"\r\n\r\n")[0]
        ]
        name = f"file-{len(self.files)}"
        self.files[name] = content
        file_object = {
            "id": name,
            "object": "file",
            "bytes": len(content),
            "created_at": 0,
            "filename": "requests.jsonl",
            "purpose": "batch",
            "status": "processed",
        }
        return _json(file_object)

    async def content(self, request: Request) -> Response:
        return Response(self.files[request.path_params["file"]])

    async def create_batch(self, request: Request) -> Response:
        fields: Json = msgspec.json.decode(await request.body())
        name = f"batch_{len(self.batches)}"
        batch: Json = {
            "id": name,
            "object": "batch",
            "endpoint": fields["endpoint"],
            "input_file_id": fields["input_file_id"],
            "completion_window": "24h",
            "status": "in_progress",
            "created_at": 0,
            "metadata": fields.get("metadata"),
            "polls": 0,
        }
        self.batches[name] = batch
        return _json(_batch_object(batch))

    async def list_batches(self, request: Request) -> Response:
        del request
        batch_objects = [_batch_object(batch) for batch in self.batches.values()]
        return _json({"object": "list", "data": batch_objects, "has_more": False})

    async def read_batch(self, request: Request) -> Response:
        batch = self.batches[request.path_params["batch"]]
        polls = batch["polls"]
        assert isinstance(polls, int)
        batch["polls"] = polls + 1
        if polls + 1 >= self.batch_polls and batch["status"] == "in_progress":
            self._run_batch(batch)
        return _json(_batch_object(batch))

    def _run_batch(self, batch: Json) -> None:
        """Answer every line; lost lines are not billed or reported, failed lines are reported."""
        lines, failed = [], []
        for line in self.files[str(batch["input_file_id"])].splitlines():
            entry = msgspec.json.decode(line)
            body = msgspec.json.encode(entry["body"])
            digest = hashlib.sha256(body).hexdigest()
            draw = int(digest[8:16], 16) / 0xFFFFFFFF
            if draw < self.lose_lines:
                continue
            if draw < self.lose_lines + self.fail_lines:
                error = {"code": "server_error", "message": "something broke"}
                failed.append(
                    msgspec.json.encode({"custom_id": entry["custom_id"], "error": error})
                )
                continue
            fault = self._fault(digest)
            fault = fault if fault in {"truncated", "invalid"} else None
            self.billing.seen[digest] += 1
            refusal = self._refusal(entry["body"])
            if refusal is None:
                status, reply = (
                    200,
                    msgspec.Raw(
                        msgspec.json.encode(self._reply(entry["body"], digest, fault, 0.5))
                    ),
                )
            else:
                status, reply = refusal.status_code, msgspec.Raw(bytes(refusal.body))
            response = {"status_code": status, "request_id": "r", "body": reply}
            lines.append(
                msgspec.json.encode({"custom_id": entry["custom_id"], "response": response})
            )
        name = f"file-{len(self.files)}"
        # The results of batches have no fixed order.
        self.files[name] = b"\n".join(sorted(lines, key=hash))
        batch["status"] = self.batch_end
        batch["output_file_id"] = name
        if failed:
            self.files[f"{name}-errors"] = b"\n".join(failed)
            batch["error_file_id"] = f"{name}-errors"

    # -- running

    @contextmanager
    def running(self) -> Iterator["LlmServer"]:
        """Serve on a free loopback port from a thread of this process."""
        # With an explicit protocol asyncio disables Nagle's algorithm, which saves 40 ms per reply.
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listening.bind(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        config = uvicorn.Config(
            self.app(), log_level="critical", access_log=False, lifespan="off", ws="none"
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        deadline = time.monotonic() + 20
        while not server.started:
            assert time.monotonic() < deadline, "the server did not start"
            time.sleep(0.005)
        try:
            yield self
        finally:
            server.should_exit = True
            server.force_exit = True
            thread.join(timeout=20)
            listening.close()


def _size(fields: Json) -> int:
    """Return the bytes of the text that a model would read: messages and schema."""
    return len(msgspec.json.encode((fields["messages"], fields.get("response_format"))))


def _batch_object(batch: Json) -> Json:
    return {name: value for name, value in batch.items() if name != "polls"}


def _json(value: Json) -> Response:
    return Response(msgspec.json.encode(value), media_type="application/json")


def _error(status: int, message: str, code: str, headers: dict[str, str] | None = None) -> Response:
    body = {"error": {"message": message, "type": "error", "code": code, "param": None}}
    return Response(msgspec.json.encode(body), status, headers, media_type="application/json")


if __name__ == "__main__":
    with LlmServer(latency=float(sys.argv[1]) if len(sys.argv) > 1 else 0.0).running() as running:
        print(f"OPENAI_BASE_URL={running.url}", flush=True)  # noqa: T201  a person reads the address
        threading.Event().wait()
