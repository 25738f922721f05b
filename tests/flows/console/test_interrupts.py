"""Check that an interrupt or SIGTERM ends with one line and the exit code of the signal."""

import asyncio
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import typer

from flows import cli
from flows.console.interrupts import INTERRUPTED, TERMINATED, stopping

ROOT = Path(__file__).resolve().parents[3]
RUN = """
import asyncio, sys, time
from flows.engine import command_runs
from flows.console.interrupts import stopping, termination_as_interrupt
command_runs._ENDS_WITHIN = 0.2

async def ends():
    print("ready", flush=True)
    await asyncio.sleep(600)

async def ends_late():
    print("ready", flush=True)
    time.sleep(600)  # blocks like a flow that builds a release or waits for a dead server

stopping.keeps("shards are kept in w")
with termination_as_interrupt():
    try:
        command_runs.run_in_thread({"ends": ends, "ends_late": ends_late}[sys.argv[1]]())
    except KeyboardInterrupt:
        sys.exit(stopping.code)
"""
COMMAND = """
import sys, time, typer
from flows import cli

app = typer.Typer()

@app.command()
def wait():
    print("ready", flush=True)
    time.sleep(600)

cli.build_app = lambda word: app
cli.main()
"""


@pytest.mark.parametrize(
    ("program", "flow_name", "signal_number", "code", "message"),
    [
        (COMMAND, "", signal.SIGTERM, 143, "terminated; run the same command again to continue"),
        (RUN, "ends", signal.SIGINT, 130, "interrupted; run the same command again to continue"),
        (RUN, "ends_late", signal.SIGTERM, 143, "terminated; run the same command again"),
    ],
    ids=["a command", "a flow", "a flow that blocks"],
)
def test_stopped_command_names_how_to_continue(
    program: str, flow_name: str, signal_number: int, code: int, message: str
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", program, *flow_name.split()],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal_number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == code
    (line,) = errors.splitlines()
    assert line.startswith(f"benchloom: {message}")
    assert line.endswith("; shards are kept in w") == (program == RUN)


def test_interrupt_restores_the_signal_handler(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted_command() -> None:
        raise KeyboardInterrupt

    app = typer.Typer()
    app.command()(interrupted_command)
    monkeypatch.setattr(cli, "build_app", lambda _word: app)
    monkeypatch.setattr(stopping, "is_said", False)
    monkeypatch.setattr(sys, "argv", ["benchloom"])
    previous_handler = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit) as exit_info:
        cli.main()
    assert exit_info.value.code == INTERRUPTED
    assert capsys.readouterr().err.count("run the same command again") == 1
    assert signal.getsignal(signal.SIGTERM) is previous_handler


def test_run_in_thread_returns_results_and_raises_errors() -> None:
    from flows.engine.command_runs import run_in_thread

    async def answer() -> int:
        await asyncio.sleep(0)
        assert threading.current_thread() is not threading.main_thread()
        return 7

    async def fail() -> int:
        raise LookupError("gone")

    assert run_in_thread(answer()) == 7
    with pytest.raises(LookupError, match="gone"):
        run_in_thread(fail())
    assert TERMINATED == 128 + signal.SIGTERM
