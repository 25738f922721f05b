"""Tests with the clients of other packages: they check that rewards agree with our scorer."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from benchloom.worlds.runs.offered_tools import offer_of_task
from benchloom.worlds.runs.task_reader import read_tasks
from benchloom.worlds.task_formats.nemo_gym import FORMAT
from tests.clients.environments import FOLDER, python_of
from tests.clients.model import scripted_model
from tests.support.commands import benchloom, serving
from tests.support.players.moves import gold_moves, no_moves, score_moves
from tests.support.soak import samples

pytestmark = pytest.mark.long
COUNT = samples(3, 100)
PLAYERS = {"gold": gold_moves, "nothing": no_moves}
CLIENTS = {
    "openenv": "openenv",
    "ors": "ors",
    "verifiers": "nemo-gym",
    "nemo_gym": "nemo-gym",
}
"""The protocol that each client speaks."""


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("clients") / "tasks"
    words = ("--count", COUNT, "--distractors", 3, "--workers", 2)
    assert benchloom("world", "build", "everyday", *words, "--out", out).returncode == 0
    return out


@contextmanager
def serve_tasks(tasks: Path, protocol: str) -> Iterator[str]:
    """Run a server of the tasks and yield its address."""
    words = ("world", "serve", "--tasks", tasks, "--protocol", protocol, "--port", "0", "--json")
    with serving(*words) as command:
        yield msgspec.json.decode(command.first_line)["address"]


@pytest.mark.parametrize("name", CLIENTS)
def test_client_reward_equals_our_score(name: str, tasks: Path, tmp_path: Path) -> None:
    python = python_of(name)
    attempts = [
        (task, player, moves(task))
        for task in read_tasks(tasks)
        for player, moves in PLAYERS.items()
    ]
    assert len(attempts) == 2 * COUNT
    moves_lists = [
        {"task_id": task.task_id, "player": player, "texts": moves.texts, "calls": moves.calls}
        for task, player, moves in attempts
    ]
    (tmp_path / "moves.json").write_bytes(msgspec.json.encode(moves_lists))
    rows = [
        FORMAT.row(task, offer_of_task(task, replies=FORMAT.replies))
        for task, _, _ in attempts[::2]
    ]
    (tmp_path / "rows.jsonl").write_bytes(msgspec.json.Encoder().encode_lines(rows))
    script = {(player, task.turns[0]): moves for task, player, moves in attempts}
    with serve_tasks(tasks, CLIENTS[name]) as address, scripted_model(script) as model:
        # With -P the program does not hide the package of the same name.
        words = (str(python), "-P", str(FOLDER / f"{name}.py"), address)
        program = [*words, "moves.json", "rows.jsonl", model]
        completed = subprocess.run(
            program, capture_output=True, text=True, cwd=tmp_path, check=False
        )
    assert completed.returncode == 0, completed.stderr
    rewards = msgspec.json.decode(completed.stdout, type=list[float])
    assert rewards == [1.0, 0.0] * COUNT
    for (task, _, moves), reward in zip(attempts, rewards, strict=True):
        assert score_moves(task, moves) == reward
