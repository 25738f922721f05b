"""Play rows with the simple agent of nemo_gym: `nemo_gym.py ADDRESS MOVES ROWS MODEL`.

The package needs Python 3.12 and 1 GB, so it has no lock. Install it before the test by hand:

    uv venv --python 3.12 nemo && uv pip install --python nemo/bin/python nemo_gym==0.4.0
    NEMO_GYM_PYTHON=nemo/bin/python pytest tests/clients -k nemo_gym
"""

import asyncio
import importlib
import json
import socket
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit


def main() -> None:
    """Print the reward of each list of moves."""
    address, moves, rows, model = sys.argv[1:5]
    moves_lists = json.loads(Path(moves).read_text())
    tasks = {row["task_id"]: row for row in map(json.loads, Path(rows).read_text().splitlines())}
    sys.stdout.write(json.dumps(asyncio.run(rewards(address, model, moves_lists, tasks))))


async def rewards(
    address: str, model: str, moves_lists: list[dict[str, Any]], tasks: dict[str, dict[str, Any]]
) -> list[float]:
    """Serve the agent, send it the row of each list of moves, and return the rewards."""
    servers = importlib.import_module("nemo_gym.server_utils")
    uvicorn: Any = importlib.import_module("uvicorn")
    servers.set_global_aiohttp_client(servers.GlobalAIOHTTPAsyncClientConfig())
    with socket.create_server(("127.0.0.1", 0)) as port:
        agent, client = agent_at(port.getsockname()[1], address, model)
        web = uvicorn.Server(uvicorn.Config(agent.setup_webserver(), log_level="warning"))
        serving = asyncio.create_task(web.serve(sockets=[port]))
        rewards_of_moves = []
        for moves in moves_lists:
            row = tasks[moves["task_id"]]
            request = row["responses_create_params"] | {"model": moves["player"]}
            answer = await client.post(
                "agent", "/run", json=row | {"responses_create_params": request}
            )
            answer.raise_for_status()
            rewards_of_moves.append(float((await answer.json())["reward"]))
        web.should_exit = True
        await serving
    return rewards_of_moves


def agent_at(port: int, address: str, model: str) -> tuple[Any, Any]:
    """Return the agent and the client that knows the addresses of all three servers."""
    configs = importlib.import_module("nemo_gym.config_types")
    servers = importlib.import_module("nemo_gym.server_utils")
    agents = importlib.import_module("responses_api_agents.simple_agent.app")
    omegaconf: Any = importlib.import_module("omegaconf")
    agent_address = f"http://127.0.0.1:{port}"
    addresses = omegaconf.OmegaConf.create(
        {
            "benchloom": server("resources_servers", address),
            "model": server("responses_api_models", model),
            "agent": server("responses_api_agents", agent_address),
        }
    )
    # In production the head server supplies these addresses.
    head = configs.BaseServerConfig(host="127.0.0.1", port=1)
    client = servers.ServerClient(head_server_config=head, global_config_dict=addresses)
    config = agents.SimpleAgentConfig(
        name="agent",
        host="127.0.0.1",
        port=port,
        entrypoint="app.py",
        resources_server=configs.ResourcesServerRef(type="resources_servers", name="benchloom"),
        model_server=configs.ModelServerRef(type="responses_api_models", name="model"),
    )
    return agents.SimpleAgent(config=config, server_client=client), client


def server(kind: str, address: str) -> dict[str, Any]:
    """Return the settings of a server that runs at an address."""
    parts = urlsplit(address)
    return {kind: {"any": {"host": parts.hostname, "port": parts.port, "entrypoint": "app.py"}}}


if __name__ == "__main__":
    main()
