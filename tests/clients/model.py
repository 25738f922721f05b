"""A scripted model on loopback that makes moves by Chat Completions or by Responses.

The server keeps no state. The model's name and the user's first message select the moves, and the
number of the model's messages or calls in the request selects the next move.
"""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from benchloom.worlds.runs.offered_tools import REPLY
from tests.support.players.moves import Moves

Steps = list[str | tuple[str, Mapping[str, Any]]]


@contextmanager
def scripted_model(players: Mapping[tuple[str, str], Moves]) -> Iterator[str]:
    """Serve moves by model and the user's first message; yield the address."""
    steps = {name: _steps(moves) for name, moves in players.items()}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            reply = json.dumps(_reply(body, steps)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the base class names it
            del format, args

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()


def _steps(moves: Moves) -> Steps:
    replies: Steps = [(REPLY, {"message": text}) for text in moves.texts[:-1]]
    return [*replies, *moves.calls, moves.texts[-1]]


def _reply(body: Mapping[str, Any], steps: Mapping[tuple[str, str], Steps]) -> dict[str, Any]:
    is_chat = "messages" in body
    messages = body["messages"] if is_chat else body["input"]
    words = next(message["content"] for message in messages if message.get("role") == "user")
    if not isinstance(words, str):
        words = "".join(part["text"] for part in words)
    model_turns = [
        message
        for message in messages
        if (
            message.get("role") == "assistant"
            if is_chat
            else message.get("type") == "function_call"
        )
    ]
    step = steps[body["model"], words][len(model_turns)]
    payload = (_completion if is_chat else _response)(step, f"call_{len(model_turns)}")
    return {"id": "r", "created": 0, "created_at": 0, "model": body["model"], **payload}


def _completion(step: str | tuple[str, Mapping[str, Any]], name: str) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": step}
    if not isinstance(step, str):
        function = {"name": step[0], "arguments": json.dumps(step[1])}
        call = {"id": name, "type": "function", "function": function}
        message |= {"content": None, "tool_calls": [call]}
    end = "stop" if isinstance(step, str) else "tool_calls"
    return {
        "object": "chat.completion",
        "choices": [{"index": 0, "message": message, "finish_reason": end}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def _response(step: str | tuple[str, Mapping[str, Any]], name: str) -> dict[str, Any]:
    output: dict[str, Any] = {"id": f"item_{name}", "status": "completed"}
    if isinstance(step, str):
        text = {"type": "output_text", "text": step, "annotations": []}
        output |= {"type": "message", "role": "assistant", "content": [text]}
    else:
        arguments = json.dumps(step[1])
        output |= {"type": "function_call", "call_id": name, "name": step[0]}
        output |= {"arguments": arguments}
    settings = {"parallel_tool_calls": False, "tool_choice": "auto", "tools": []}
    return {"object": "response", "output": [output], **settings}
