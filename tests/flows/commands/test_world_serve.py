"""Tests of `benchloom world serve` with clients of the Model Context Protocol and of HTTP."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import httpx2
import msgspec
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from tests.support.commands import ROOT, benchloom, serving
from tests.support.python import python
from tests.support.samples.errands import errands, write_tasks

pytestmark = pytest.mark.slow
COMMAND = [sys.executable, "-m", "flows.cli", "world", "serve", "everyday"]
SECRET = "sk-never-told-to-anybody"


class Server(msgspec.Struct):
    """The addresses of a running server."""

    mcp: str
    base: str


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """Start one server for all tests; it must end with one line when interrupted."""
    words = ("--port", "0", "--clients", "3", "--json")
    with serving("world", "serve", "everyday", *words) as command:
        startup: Any = msgspec.json.decode(command.first_line)
        yield Server(startup["mcp"], startup["mcp"].removesuffix("/mcp"))
    assert (command.returncode, command.stdout) == (0, "")
    assert len(command.stderr.splitlines()) == 1
    assert SECRET not in command.stderr
    assert msgspec.json.decode(command.stderr)["sessions"] >= 0


def alarm_times(search_result: Any) -> list[str]:
    return [alarm["time"] for alarm in search_result.structured_content["result"]]


async def call_tools(client: Client) -> None:
    """Call the tools of a server through a client of any transport."""
    tools = (await client.list_tools()).tools
    created = next(tool for tool in tools if tool.name == "alarms__create_alarm")
    assert created.input_schema["required"] == ["time"]
    assert created.output_schema is not None
    assert created.output_schema["properties"]["enabled"] == {"type": "boolean"}
    created_alarm = await client.call_tool(
        "alarms__create_alarm", {"time": "05:05", "label": SECRET}
    )
    assert created_alarm.structured_content["label"] == SECRET
    assert msgspec.json.decode(created_alarm.content[0].text) == created_alarm.structured_content  # type: ignore[union-attr]  # the content is a text
    second_creation = await client.call_tool(
        "alarms__create_alarm", {"time": "05:05", "label": SECRET}
    )
    for name, arguments, kind in (
        ("alarms__create_alarm", {"time": SECRET}, "invalid_argument"),
        ("alarms__get_alarm", {"alarm_id": "none"}, "not_found"),
        (SECRET, {}, "unknown_tool"),
    ):
        refused_call = await client.call_tool(name, arguments)
        assert refused_call.is_error
        refusal = msgspec.json.decode(refused_call.content[0].text)  # type: ignore[union-attr]  # the content is a text
        assert refusal["refused"] == kind
        assert refusal["message"]
    assert second_creation.is_error


def test_stdio_clients_are_isolated() -> None:
    async def run_clients() -> None:
        server_parameters = StdioServerParameters(
            command=COMMAND[0], args=COMMAND[1:], cwd=str(ROOT)
        )
        async with Client(server_parameters) as client, Client(server_parameters) as other:
            await call_tools(client)
            assert "05:05" in alarm_times(await client.call_tool("alarms__search_alarms", {}))
            assert "05:05" not in alarm_times(await other.call_tool("alarms__search_alarms", {}))

    asyncio.run(run_clients())


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_http_clients_are_isolated(server: Server, mode: str) -> None:
    async def run_clients() -> None:
        async with Client(server.mcp, mode=mode) as client, Client(server.mcp, mode=mode) as other:
            await call_tools(client)
            assert "05:05" in alarm_times(await client.call_tool("alarms__search_alarms", {}))
            assert "05:05" not in alarm_times(await other.call_tool("alarms__search_alarms", {}))

    asyncio.run(run_clients())


def test_sessions_end_with_their_clients(server: Server) -> None:
    async def run_clients() -> None:
        for _ in range(5):
            async with Client(server.mcp) as client:
                assert not (await client.call_tool("alarms__next_alarm", {})).is_error

    asyncio.run(run_clients())


def test_http_sessions_accept_calls(server: Server) -> None:
    with httpx.Client(base_url=server.base) as client:
        assert client.get("/openapi.json").json()["info"]["title"] == "everyday"
        session_id = client.post("/sessions").json()["session"]
        call_path = f"/sessions/{session_id}/calls/alarms__create_alarm"
        assert client.post(call_path, json={"time": "05:06"}).status_code == 200
        assert client.post(call_path, json={"time": "05:06"}).status_code == 409
        assert client.post(call_path, content=b"x" * 5_000_000).status_code == 413
        assert client.delete(f"/sessions/{session_id}").status_code == 204


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'{"jsonrpc": "2.0"}', b"[" * 100_000, b'"' + b"\xff" * 9, b"null"]
)
def test_malformed_messages_are_refused(server: Server, body: bytes) -> None:
    headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    response = httpx.post(server.mcp, content=body, headers=headers)
    assert 400 <= response.status_code < 500
    assert "Traceback" not in response.text


def test_foreign_web_pages_are_refused(server: Server) -> None:
    for headers in ({"host": "pages.example"}, {"host": "pages.example:80"}):
        assert httpx.post(f"{server.base}/sessions", headers=headers).status_code == 421
    for headers in ({"origin": "http://pages.example"}, {"origin": "null"}):
        assert httpx.post(f"{server.base}/sessions", headers=headers).status_code == 403
        assert httpx.get(f"{server.base}/openapi.json", headers=headers).status_code == 403
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}
    headers = {"origin": "http://pages.example", "accept": "application/json, text/event-stream"}
    assert httpx.post(server.mcp, json=message, headers=headers).status_code == 403


@contextmanager
def _running_server(*options: str) -> Iterator[dict[str, Any]]:
    """Start a separate server and yield its startup message."""
    with serving("world", "serve", "everyday", "--port", "0", "--json", *options) as command:
        yield msgspec.json.decode(command.first_line)


def test_server_on_all_interfaces_requires_the_printed_token() -> None:
    all_interfaces = "0.0.0.0"  # noqa: S104  the test calls it on loopback only
    with _running_server("--host", all_interfaces) as startup:
        base = startup["mcp"].removesuffix("/mcp").replace(all_interfaces, "127.0.0.1")
        assert httpx.post(f"{base}/sessions").status_code == 401
        assert httpx.get(f"{base}/openapi.json").status_code == 401
        wrong_token = {"authorization": f"Bearer {startup['token'][:-1]}"}
        assert httpx.post(f"{base}/sessions", headers=wrong_token).status_code == 401
        right_token = {"authorization": f"Bearer {startup['token']}"}
        assert httpx.post(f"{base}/sessions", headers=right_token).status_code == 201
        foreign_host = {**right_token, "host": "pages.example"}
        assert httpx.post(f"{base}/sessions", headers=foreign_host).status_code == 421

        async def run_clients() -> None:
            async with (
                httpx2.AsyncClient(headers=right_token) as http,
                Client(streamable_http_client(f"{base}/mcp", http_client=http)) as client,
            ):
                assert not (await client.call_tool("alarms__next_alarm", {})).is_error

        asyncio.run(run_clients())


@pytest.mark.long
def test_new_client_replaces_the_longest_idle_session() -> None:
    with _running_server("--clients", "2") as startup:
        base = startup["mcp"].removesuffix("/mcp")
        assert startup["token"] is None
        session_replies = [httpx.post(f"{base}/sessions") for _ in range(5)]
        assert [reply.status_code for reply in session_replies] == [201] * 5
        digest_urls = [
            f"{base}/sessions/{reply.json()['session']}/digest" for reply in session_replies
        ]
        assert [httpx.get(url).status_code for url in digest_urls] == [404] * 3 + [200] * 2

        async def run_clients() -> None:
            for _ in range(4):  # each client leaves its session open
                async with httpx2.AsyncClient() as http:
                    transport = streamable_http_client(
                        f"{base}/mcp", http_client=http, terminate_on_close=False
                    )
                    async with Client(transport) as client:
                        assert not (await client.call_tool("alarms__next_alarm", {})).is_error

        asyncio.run(run_clients())


def test_port_in_use_is_a_one_line_error(server: Server) -> None:
    port = server.base.rpartition(":")[2]
    done = benchloom("world", "serve", "everyday", "--port", port)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == (
        f"benchloom: port {port} is already in use; choose another, or --port 0 for any free port\n"
    )


def test_server_ends_when_its_input_closes() -> None:
    done = python(*COMMAND[1:], cwd=ROOT, typed='{"no": "message"}\n')
    assert "Traceback" not in done.stderr
    assert "everyday served 1 sessions and 0 calls" in done.stderr


def test_interrupt_ends_a_waiting_server() -> None:
    process = subprocess.Popen(
        COMMAND, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
    process.stdin.flush()
    assert b'"id":1' in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 0
    out, err = process.communicate()
    assert out == b""
    assert err.decode().splitlines() == ["everyday served 1 sessions and 0 calls"]


def test_task_is_served_with_its_tools_and_prompt(tmp_path: Path) -> None:
    task, *_ = errands()
    tasks = str(write_tasks(tmp_path / "tasks.jsonl"))

    async def run_clients() -> None:
        words = [*COMMAND[1:-1], "--tasks", tasks, "--task", task.task_id]
        server_parameters = StdioServerParameters(command=COMMAND[0], args=words, cwd=str(ROOT))
        async with Client(server_parameters) as client:
            tool_names = {tool.name for tool in (await client.list_tools()).tools}
            assert tool_names == {name.replace(".", "__") for name in task.tools}
            (prompt,) = (await client.list_prompts()).prompts
            (message,) = (await client.get_prompt(prompt.name)).messages
            assert getattr(message.content, "text", "") == task.turns[0]

    asyncio.run(run_clients())


def test_missing_arguments_are_listed_in_the_error() -> None:
    done = benchloom("world", "serve")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "nothing to serve: pass a SUITE (api-bank, definitions, everyday" in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "pass a SUITE"),
        (["everyday", "--task", "x"], "pass a SUITE"),
        (["everyday", "--start", "[]"], "only the initial state"),
        (["zebra"], "unknown suite"),
        (["api-bank", "--workspace", "nowhere"], "0 loaded starts"),
        (["--tasks", "nowhere", "--task", "x"], "no table"),
        (["--tasks", "nowhere", "--protocol", "orz"], "did you mean 'ors'?"),
    ],
)
def test_invalid_serve_options_are_errors(words: list[str], message: str) -> None:
    done = benchloom("world", "serve", "--port", "0", *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
