"""Check a run of a model by the command: its results, its costs, and how it continues."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from benchloom.evaluate.model_requests import Choice, ModelRequests
from flows import cli
from tests.support.llm.errands import ErrandServer, gold
from tests.support.llm.scripted import ScriptedServer
from tests.support.samples.errands import errands, write_tasks
from tests.support.soak import samples

pytestmark = [
    pytest.mark.slow,
    pytest.mark.usefixtures("collect_inspect_connections"),
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]

PRICES = "models:\n  m-: {input: 1, output: 2, cached: 0.1}\n"


@pytest.fixture(scope="module")
def model_requests(evaluation_gold: Path) -> ModelRequests:
    return ModelRequests(Choice(benchmark="api-bank", gold=str(evaluation_gold)))


@pytest.fixture(scope="module")
def shared_server(model_requests: ModelRequests) -> Iterator[ScriptedServer]:
    """Start one server for all tests, as inspect_ai keeps the client of a model."""
    server = ScriptedServer(cached_share=0.5)
    server.teach(model_requests, lambda _, right: right, "m-1")
    with server.running():
        yield server


@pytest.fixture
def server(shared_server: ScriptedServer) -> ScriptedServer:
    shared_server.forget()
    return shared_server


class Command:
    """The command `benchloom`, run in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *arguments: object, code: int = 0) -> tuple[str, str]:
        """Run a command that must exit with `code`; return its stdout and stderr."""
        self._monkeypatch.setattr(sys, "argv", ["benchloom", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        streams = self._capsys.readouterr()
        assert (ended.value.code or 0) == code, streams.err
        return streams.out, streams.err


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    return Command(monkeypatch, capsys)


def run_arguments(server: ScriptedServer, gold: Path, folder: Path, *more: object) -> list[object]:
    prices = folder / "prices.yaml"
    prices.write_text(PRICES)
    arguments: list[object] = ["evaluate", "run", "api_bank", "--release", gold, "--model", "m-1"]
    arguments += ["--out", folder / "out", "--base-url", server.url, "--prices", prices]
    return [*arguments, "--concurrency", 1, "--json", *more]


def test_run_has_the_scores_of_its_predictions(
    command: Command, server: ScriptedServer, evaluation_gold: Path, tmp_path: Path
) -> None:
    out, _ = command(*run_arguments(server, evaluation_gold, tmp_path))
    done = json.loads(out)
    assert (done["samples"], done["answered"]) == (16, 16)
    assert done["summary"]["metrics"]["correctness"] == 1
    assert (
        done["summary"]["cost_usd"] == done["usd"] == pytest.approx(server.billing.usd(1, 2, 0.1))
    )
    assert done["usd_per_right"] == pytest.approx(done["usd"] / 16)
    predictions = tmp_path / "out" / "predictions.jsonl"
    again, _ = command(
        "evaluate", "api-bank", "--gold", evaluation_gold, "--predictions", predictions, "--json"
    )
    for name in ("metrics", "outcomes", "samples"):
        assert json.loads(again)[name] == done["summary"][name]
    request_counts = server.asked.copy()
    repeated, _ = command(*run_arguments(server, evaluation_gold, tmp_path))
    assert json.loads(repeated)["summary"]["metrics"] == done["summary"]["metrics"]
    assert server.asked == request_counts
    _, error_output = command(
        *run_arguments(server, evaluation_gold, tmp_path, "--seed", 3), code=2
    )
    assert "contains a run with other settings (seed)" in error_output


def test_unreachable_endpoint_is_named(
    command: Command, server: ScriptedServer, evaluation_gold: Path, tmp_path: Path
) -> None:
    address = "http://127.0.0.1:9/v1"
    _, error_output = command(
        *run_arguments(server, evaluation_gold, tmp_path, "--base-url", address), code=2
    )
    assert f"no server answers at {address}" in error_output


def test_run_stopped_by_its_budget_continues_with_a_higher_one(
    command: Command, server: ScriptedServer, evaluation_gold: Path, tmp_path: Path
) -> None:
    out, error_output = command(
        *run_arguments(server, evaluation_gold, tmp_path, "--budget", 0.004), code=3
    )
    done = json.loads(out)
    assert 0 < done["answered"] < 16
    assert done["answered"] == server.asked.total()
    assert done["usd"] == pytest.approx(server.billing.usd(1, 2, 0.1))
    assert done["usd"] <= 0.004
    assert "and exceed --budget 0.004" in error_output
    lines = (tmp_path / "out" / "predictions.jsonl").read_text().splitlines()
    assert len(lines) == done["answered"]
    out, _ = command(*run_arguments(server, evaluation_gold, tmp_path, "--budget", 1))
    done = json.loads(out)
    assert done["summary"]["outcomes"] == {"right": 16}
    assert set(server.asked.values()) == {1}
    assert done["usd"] == pytest.approx(server.billing.usd(1, 2, 0.1))


def test_second_run_requests_only_unanswered_samples(
    command: Command, server: ScriptedServer, evaluation_gold: Path, tmp_path: Path
) -> None:
    server.stops_after = 5
    _, error_output = command(*run_arguments(server, evaluation_gold, tmp_path), code=2)
    assert "11 of 16 samples have no answer" in error_output
    assert "run the same command again" in error_output
    server.stops_after = None
    out, _ = command(*run_arguments(server, evaluation_gold, tmp_path))
    assert json.loads(out)["summary"]["outcomes"] == {"right": 16}
    assert set(server.asked.values()) == {1}


def test_missing_price_key_and_benchmark_are_reported(
    command: Command, server: ScriptedServer, evaluation_gold: Path, tmp_path: Path
) -> None:
    arguments = run_arguments(server, evaluation_gold, tmp_path, "--budget", 1)
    arguments[arguments.index("m-1")] = "unpriced"
    _, error = command(*arguments, code=2)
    assert "--max-usd needs a price" in error
    base = ["evaluate", "run", "nestful", "--release", evaluation_gold, "--model", "m"]
    _, error = command(*base, "--out", tmp_path / "x", code=2)
    assert error.startswith("benchloom: set OPENAI_API_KEY")
    base[2] = "nestfull"
    _, error = command(*base, code=2)
    assert "unknown" in error
    assert not server.asked


@pytest.mark.long
def test_interrupted_and_killed_runs_can_be_continued(
    command: Command, server: ScriptedServer, evaluation_gold: Path, tmp_path: Path
) -> None:
    """The first run is interrupted; `make soak` also kills a second and interrupts a third."""
    call = [sys.executable, "-m", "flows.cli"]
    call += map(str, run_arguments(server, evaluation_gold, tmp_path))
    stops = [
        (3, signal.SIGINT, 130),
        (6, signal.SIGKILL, -signal.SIGKILL),
        (9, signal.SIGINT, 130),
    ]
    stops = stops[: samples(1, 3)]
    for answered, signal_number, code in stops:
        run = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while server.asked.total() < answered and run.poll() is None:
            time.sleep(0.005)
        run.send_signal(signal_number)
        _, error_output = run.communicate(timeout=120)
        assert run.returncode == code, error_output
        assert "Traceback" not in error_output
    out, _ = command(*run_arguments(server, evaluation_gold, tmp_path))
    done = json.loads(out)
    assert done["summary"]["outcomes"] == {"right": 16}
    # A stopped run leaves at most one request in flight unanswered.
    assert server.asked.total() <= 16 + len(stops)
    assert max(server.asked.values()) <= 2


def test_model_solves_tasks_in_worlds(command: Command, tmp_path: Path) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text(PRICES)
    tasks = write_tasks(tmp_path / "tasks.jsonl")
    with tasks.open("a") as file:
        file.write('{"task_id": 3}\n')
    acting = ErrandServer(tasks=errands(), actors={"m-gold": gold})
    arguments: list[object] = ["evaluate", "run", "worlds", "--release", tasks, "--model", "m-gold"]
    with acting.running():
        arguments += ["--base-url", acting.url, "--prices", prices, "--epochs", 2, "--json"]
        out, _ = command(*arguments, "--out", tmp_path / "out")
    done = json.loads(out)
    assert (done["samples"], done["answered"], done["protocol"]) == (6, 6, "tools")
    assert done["summary"]["outcomes"] == {"right": 6}
    assert done["summary"]["unused"]["gold_records"] == 1
    assert done["summary"]["unused"]["gold"][0]["record"].endswith("tasks.jsonl, line 4")
    assert done["summary"]["figures"]["pass^2"]["value"] == 1
    assert done["summary"]["categories"]["everyday"]["solved"] == 1
    assert done["usd"] == pytest.approx(acting.billing.usd(1, 2))
    lines = (tmp_path / "out" / "predictions.jsonl").read_text().splitlines()
    predictions = [json.loads(line) for line in lines]
    assert [(prediction["id"], prediction["epoch"]) for prediction in predictions] == [
        (task.task_id, epoch) for task in errands() for epoch in (1, 2)
    ]
    rows = pq.read_table(tmp_path / "out" / "samples.parquet").to_pylist()
    assert [(row["sample_id"], row["epoch"], row["outcome"]) for row in rows] == [
        (task.task_id, epoch, "right") for task in errands() for epoch in (1, 2)
    ]
    again, _ = command("evaluate", "report", tmp_path / "out", "--out", tmp_path / "board")
    assert "board.html" in again
    again, _ = command(
        "evaluate", "report", tmp_path / "out", "--out", tmp_path / "board", "--rescore"
    )
    assert "rescored m-gold (worlds): no figure differs" in again
    assert (tmp_path / "board" / "rescored" / "1-out" / "samples.parquet").read_bytes() == (
        tmp_path / "out" / "samples.parquet"
    ).read_bytes()
    _, refused = command(*arguments, "--protocol", "flat", "--out", tmp_path / "other", code=2)
    assert "worlds accept no --protocol" in refused
    _, refused = command(
        *arguments[:2], "nestful", *arguments[3:], "--out", tmp_path / "other", code=2
    )
    assert "--epochs is only for worlds" in refused
