"""Play rows of NeMo Gym with an agent of verifiers: `verifiers.py ADDRESS MOVES ROWS MODEL`.

The task of verifiers opens and scores the session, its tool server lists and calls the tools over
MCP, and its proxy forwards requests to the model. Only the loop between model and tools is ours,
because the loop of verifiers starts a process for each task.
"""

import asyncio
import importlib
import json
import os
import sys
from pathlib import Path
from typing import Any

MAX_PARALLEL = 2


def main() -> None:
    """Print the reward of each list of moves."""
    address, moves, rows, model = sys.argv[1:5]
    moves_lists = json.loads(Path(moves).read_text())
    sys.stdout.write(json.dumps(asyncio.run(rewards(address, model, moves_lists, rows))))


async def rewards(
    address: str, model: str, moves_lists: list[dict[str, Any]], rows: str
) -> list[float]:
    """Play the row of each list of moves with the model of its player; return the rewards."""
    nemo_gym = importlib.import_module("verifiers.v1.tasksets.nemo_gym")
    launching = importlib.import_module("verifiers.v1.mcp.launch")
    settings = nemo_gym.NeMoGymTaskConfig(resources_url=address)
    config = nemo_gym.NeMoGymConfig(id="benchloom", dataset=rows, task=settings)
    tasks = {task.data.row["task_id"]: task for task in nemo_gym.NeMoGymTaskset(config).load()}
    limit = asyncio.Semaphore(MAX_PARALLEL)
    servers = nemo_gym.NeMoGymTaskset.toolsets(config)
    async with launching.serve_shared(servers, harness_is_local=True) as tools:
        agents = {moves["player"]: agent_of(moves["player"], model) for moves in moves_lists}

        async def play(moves: dict[str, Any]) -> float:
            async with limit:
                trace = await agents[moves["player"]].run(tasks[moves["task_id"]], tools=tools)
            if trace.errors:
                raise SystemExit(str(trace.errors))
            return float(trace.reward)

        return await asyncio.gather(*map(play, moves_lists))


def agent_of(name: str, address: str) -> Any:
    """Return an agent that asks the model with this name."""
    agents = importlib.import_module("verifiers.v1.agent")
    clients = importlib.import_module("verifiers.v1.clients")
    runtimes = importlib.import_module("verifiers.v1.runtimes")
    harnesses = importlib.import_module("verifiers.v1.harness")
    settings = importlib.import_module("verifiers.v1.configs.harness")
    os.environ.setdefault("NO_KEY", "none")
    client = clients.EvalClientConfig(base_url=address, api_key_var="NO_KEY")
    config = agents.AgentConfig(runtime=runtimes.SubprocessConfig(), model=name, client=client)
    agent = agents.Agent(config)
    traits = {"APPENDS_SYSTEM_PROMPT": True, "SUPPORTS_MCP": True, "EXECUTES_CODE": False}
    loop = type(
        "Loop", (harnesses.Harness,), {**traits, "NEEDS_CONTAINER": False, "launch": launch}
    )
    agent.harness = loop(settings.HarnessConfig(id="null"))
    return agent


async def launch(  # noqa: PLR0917 - the arguments are those of verifiers
    self: Any,
    ctx: Any,
    trace: Any,
    runtime: Any,
    endpoint: str,
    secret: str,
    mcp_urls: dict[str, str],
    data: Any,
    tool_interception_url: str | None = None,
) -> Any:
    """Let the model call tools until it replies without a call."""
    del self, trace, runtime, tool_interception_url
    httpx: Any = importlib.import_module("httpx")
    mcp = importlib.import_module("verifiers.v1.harnesses.utils.mcp")
    chat = importlib.import_module("verifiers.v1.dialects.chat")
    runtimes = importlib.import_module("verifiers.v1.runtimes")
    messages = [chat.message_to_wire(message) for message in data.prompt]
    (url,) = mcp_urls.values()
    server = {"url": url, "timeout": 60, "connect_timeout": 60}
    key = {"Authorization": f"Bearer {secret}"}
    async with (
        httpx.AsyncClient(base_url=endpoint, headers=key, timeout=60) as model,
        mcp.mcp_client(server) as tools,
    ):
        offered = [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": tool.input_schema,
                },
            }
            for tool in (await tools.list_tools()).tools
        ]
        while True:
            body = {"model": ctx.model, "messages": messages, "tools": offered}
            reply = await model.post("/chat/completions", json=body)
            reply.raise_for_status()
            message = reply.json()["choices"][0]["message"]
            messages.append(message)
            if not message.get("tool_calls"):
                return runtimes.ProgramResult(0, "", "")
            for call in message["tool_calls"]:
                function = call["function"]
                result = await tools.call_tool(function["name"], json.loads(function["arguments"]))
                text = "".join(part.text for part in result.content)
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": text})


if __name__ == "__main__":
    main()
