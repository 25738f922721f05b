"""Check every task format: licence and split are exported, and the plan is hidden from agents."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import msgspec
import pytest

from benchloom.core.errors import RunError
from benchloom.exchange.examples.releases import Choice
from benchloom.storage.tables import write_table
from benchloom.storage.workspace import StageMark, write_mark
from benchloom.worlds.proofs import row_of
from benchloom.worlds.runs.offered_tools import REPLY, offer_of_task
from benchloom.worlds.runs.task_reader import TABLE
from benchloom.worlds.servers import shell
from benchloom.worlds.task import Task
from benchloom.worlds.task_formats import TASK_FORMATS, FolderFormat, RowFormat
from benchloom.worlds.task_formats.harbor import FORMAT as HARBOR
from flows.stages.export.tasks import export_as
from tests.support.players.moves import gold_moves
from tests.support.samples.errands import errands
from tests.support.samples.tasks_of_suites import tasks_of_suites

NEEDED = ("task_id", "split", "licence", "source")


def facts_and_text(name: str, task: Task) -> tuple[dict[str, object], str]:
    """Return the metadata that a format exports for a task, and all text that agents may read."""
    task_format = TASK_FORMATS.find(name)
    offer = offer_of_task(task, replies=task_format.replies)
    if isinstance(task_format, RowFormat):
        row = task_format.row(task, offer)
        assert row == task_format.row(task, offer)
        return dict(row), msgspec.json.encode(row).decode()
    assert isinstance(task_format, FolderFormat)
    files = task_format.files(task, offer)
    assert files == task_format.files(task, offer)
    visible_files = [
        text for path, text in files.items() if Path(path).parts[0] not in task_format.hidden
    ]
    return tomllib.loads(files["task.toml"].decode())["metadata"], b"\n".join(
        visible_files
    ).decode()


@pytest.mark.parametrize("name", TASK_FORMATS.names())
@pytest.mark.parametrize("index", range(3))
def test_task_format_exports_the_task_and_hides_its_plan(name: str, index: int) -> None:
    task = errands()[index]
    facts, text = facts_and_text(name, task)
    assert [facts[key] for key in NEEDED] == [task.task_id, task.split, task.license, task.source]
    assert task.turns[0] in text
    assert task.gold_digest not in text
    if name in TASK_FORMATS.only(RowFormat):
        assert not any(turn in text for turn in task.turns[1:])
        assert (REPLY in text) == (len(task.turns) > 1)
    assert all(tool.replace(".", "__") in text for tool in task.tools)


@pytest.mark.parametrize("name", TASK_FORMATS.names())
def test_unchanged_world_build_folder_is_exported(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "built"
    folder.mkdir()
    table = folder / f"{TABLE}.parquet"
    count = write_table(TABLE, map(row_of, errands()), table)
    write_mark(folder, StageMark(stage="tasks", key="k", objects=count, rows={TABLE: count}))
    assert export_as(folder, name, tmp_path / "out", Choice()).examples == count
    table.write_bytes(table.read_bytes()[:-1])
    with pytest.raises(RunError, match=TABLE):
        export_as(folder, name, tmp_path / "again", Choice())


def test_harbor_solution_moves_earn_full_reward(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def read_reward(number: int) -> float:
        moves = str(tmp_path / f"{number}.jsonl")
        assert shell.main([str(tmp_path / f"{number}.gold"), moves, "score"]) == 0
        return float(msgspec.json.decode(capsys.readouterr().out)["reward"])

    for number, task in enumerate(tasks_of_suites()):
        files = HARBOR.files(task, offer_of_task(task))
        (tmp_path / f"{number}.gold").write_bytes(files["tests/task.jsonl"])
        (tmp_path / f"{number}.task").write_bytes(files["environment/task.jsonl"])
        assert read_reward(number) == 0.0
        attempt = [str(tmp_path / f"{number}.task"), str(tmp_path / f"{number}.jsonl")]
        moves = gold_moves(task)
        for text in moves.texts[:-1]:
            assert shell.main([*attempt, "say", text]) == 0
        for name, arguments in moves.calls:
            words = ["call", name, msgspec.json.encode(arguments).decode()]
            assert shell.main([*attempt, *words]) == 0
        assert shell.main([*attempt, "tools"]) == 0
        assert shell.main([*attempt, "say", moves.texts[-1]]) == 0
        assert shell.main([*attempt, "say", "More?"]) == 1
        assert shell.main([*attempt, "call", "fly", "["]) == 1
        with Path(attempt[1]).open("ab") as file:
            file.write(b"what an agent may write there\n\xff\n")
        capsys.readouterr()
        assert read_reward(number) == 1.0


@pytest.mark.long
def test_harbor_scripts_run_as_in_a_container(tmp_path: Path) -> None:
    """Replace the paths of the container image by paths of a temporary folder."""
    task = errands()[1]
    for path, content in HARBOR.files(task, offer_of_task(task)).items():
        text = content.decode().replace("/app/.venv/bin/python", sys.executable)
        for folder in ("world", "tests", "logs"):
            text = text.replace(f"/{folder}/", f"{tmp_path}/{folder}/")
        file = tmp_path / path.replace("environment/", "world/")
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}/world:{os.environ['PATH']}"}
    for script in ("solution/solve.sh", "tests/test.sh"):
        subprocess.run([tmp_path / script], env=environment, check=True, capture_output=True)
    reward = msgspec.json.decode((tmp_path / "logs/verifier/reward.json").read_bytes())
    assert reward["reward"] == 1.0
