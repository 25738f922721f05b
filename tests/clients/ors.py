"""Play tasks with the client of ors-sdk: `ors.py ADDRESS MOVES`."""

import contextlib
import importlib
import json
import sys
from pathlib import Path
from typing import Any


def main() -> None:
    """Print the reward of each list of moves."""
    client_module: Any = importlib.import_module("ors.client")
    rewards = []
    with client_module.ORS(base_url=sys.argv[1]) as client:
        environment = client.environment("benchloom")
        (split,) = environment.list_splits()
        tasks = {task.task_spec["task_id"]: task for task in environment.list_tasks(split)}
        for moves in json.loads(Path(sys.argv[2]).read_text()):
            with environment.session(tasks[moves["task_id"]]) as session:
                for text in moves["texts"][:-1]:
                    session.call_tool("reply_to_user", {"message": text})
                for name, arguments in moves["calls"]:
                    # A plan may contain a call that is refused.
                    with contextlib.suppress(client_module.ToolCallError):
                        session.call_tool(name, arguments)
                last = session.call_tool("reply_to_user", {"message": moves["texts"][-1]})
                rewards.append(last.reward if last.finished else None)
    sys.stdout.write(json.dumps(rewards))


if __name__ == "__main__":
    main()
