"""The clients of other packages play tasks at our server: gold earns 1, nothing 0, of each task."""

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
from tests.support.players.moves import gold, nothing, own_score
from tests.support.soak import samples

pytestmark = pytest.mark.long
COUNT = samples(3, 100)
PLAYERS = {"gold": gold, "nothing": nothing}
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
def served(tasks: Path, protocol: str) -> Iterator[str]:
    """The address of a server."""
    words = ("world", "serve", "--tasks", tasks, "--protocol", protocol, "--port", "0", "--json")
    with serving(*words) as command:
        yield msgspec.json.decode(command.first_line)["address"]


@pytest.mark.parametrize("name", CLIENTS)
def test_a_client_earns_what_we_score(name: str, tasks: Path, tmp_path: Path) -> None:
    python = python_of(name)
    both = [
        (task, player, moves(task))
        for task in read_tasks(tasks)
        for player, moves in PLAYERS.items()
    ]
    assert len(both) == 2 * COUNT
    lines = [
        {"task_id": task.task_id, "player": player, "texts": moves.texts, "calls": moves.calls}
        for task, player, moves in both
    ]
    (tmp_path / "moves.json").write_bytes(msgspec.json.encode(lines))
    rows = [
        FORMAT.row(task, offer_of_task(task, replies=FORMAT.replies)) for task, _, _ in both[::2]
    ]
    (tmp_path / "rows.jsonl").write_bytes(msgspec.json.Encoder().encode_lines(rows))
    script = {(player, task.turns[0]): moves for task, player, moves in both}
    with served(tasks, CLIENTS[name]) as address, scripted_model(script) as model:
        # With -P the program does not hide the package whose name it has.
        words = (str(python), "-P", str(FOLDER / f"{name}.py"), address)
        program = [*words, "moves.json", "rows.jsonl", model]
        done = subprocess.run(program, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    rewards = msgspec.json.decode(done.stdout, type=list[float])
    assert rewards == [1.0, 0.0] * COUNT
    for (task, _, moves), reward in zip(both, rewards, strict=True):
        assert own_score(task, moves) == reward
