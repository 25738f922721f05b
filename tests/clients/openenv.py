"""Play tasks with the client of openenv-core: `openenv.py ADDRESS MOVES`."""

import importlib
import json
import sys
from pathlib import Path
from typing import Any


def main() -> None:
    """Print the reward of each list of moves."""
    client_module: Any = importlib.import_module("openenv.core.generic_client")
    rewards = []
    with client_module.GenericEnvClient(base_url=sys.argv[1]).sync() as environment:

        def step(name: str, arguments: Any) -> Any:
            action = {"type": "call_tool", "tool_name": name, "arguments": arguments}
            return environment.step(action)

        for moves in json.loads(Path(sys.argv[2]).read_text()):
            environment.reset(task_id=moves["task_id"])
            for text in moves["texts"][:-1]:
                step("reply_to_user", {"message": text})
            for name, arguments in moves["calls"]:
                step(name, arguments)
            last = step("reply_to_user", {"message": moves["texts"][-1]})
            rewards.append(last.reward if last.done else None)
    sys.stdout.write(json.dumps(rewards))


if __name__ == "__main__":
    main()
