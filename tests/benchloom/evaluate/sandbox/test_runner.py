"""Tests of the sandbox for tool functions: they check results, bounds and refused operations."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchloom.core.errors import RunError
from benchloom.core.records.values import Composed, Ref, Value
from benchloom.evaluate.sandbox.runner import ERRORS, Ran, Run, Runner

PLAIN = """
import math
import numpy as np
from typing import Dict

calls = []

def half(amount):
    return amount / 2

def minus(left, right=1):
    return left - right

def both(low, high):
    return low + 1, high + 1

def parts(name: str) -> Dict[str, object]:
    return {"first": [name, {"b": 7}], "n": 3}

def root(value):
    return np.sqrt(value)

def counted():
    calls.append(1)
    return len(calls)

def several():
    return {3, 1, 2}
"""
ATTACKS = {
    "loop": "while True: pass",
    "sleep": "__import__('time').sleep(60)",
    "fork": "import os\n    while True: os.fork()",
    "fork_once": "import os\n    return os.fork()",
    "memory": "return len('x' * 10 ** 10)",
    "grow": "found = []\n    while True: found.append('x' * 10 ** 7)",
    "write": "open('{folder}/broken', 'w').write('x')",
    "read": "return open('/etc/hostname').read()",
    "remove": "import os\n    os.remove('{folder}/kept')",
    "list_folder": "import os\n    return os.listdir('{folder}')",
    "shell": "import os\n    os.system('touch {folder}/broken')\n    return open",
    "program": "import subprocess\n    return subprocess.run(['touch', '{folder}/broken'])",
    "network": "import socket\n    return socket.create_connection(('127.0.0.1', 9), 1)",
    "leave": "import sys\n    sys.exit(0)",
    "leave_at_once": "import os\n    os._exit(0)",
    "kill_parent": "import os\n    os.kill(os.getppid(), 9)",
    "kill_all": "import os\n    os.kill(-1, 9)",
    "crash": "import ctypes\n    return ctypes.string_at(0)",
    "deep": "return deep()",
    "large": "return 'x' * 2_000_000",
    "many": "return list(range(200_000))",
    "print": "print('x' * 1000)\n    return open",
    "nested": "found = []\n    for _ in range(500): found = [found]\n    return found",
    "itself": "found = []\n    found.append(found)\n    return found",
    "long_number": "return 10 ** 5000",
    "no_number": "return float('nan')",
    "object": "class Equal:\n        def __eq__(self, other): return True\n    return Equal()",
    "like_number": "class Like(int):\n        __hash__ = __bool__ = None\n    return Like(1)",
    "interrupt": "raise KeyboardInterrupt",
    "unload": "import sys\n    sys.modules.clear()\n    return open",
    "thread": "import threading\n    threading.Thread(target=print).start()",
    "descriptors": "import os\n    for one in range(64): os.write(one, b'{{}}' * 9)",
}
"""Bodies of functions; none of them returns a value."""
CLASSES = {
    "loop": "timeout",
    "sleep": "timeout",
    "fork": "process",
    "fork_once": "process",
    "memory": "memory",
    "write": "file_written",
    "read": "file_read",
    "remove": "file_written",
    "list_folder": "file_read",
    "program": "process",
    "network": "network",
    "leave": "exited",
    "leave_at_once": "exited",
    "kill_parent": "signal",
    "kill_all": "signal",
    "crash": "died",
    "deep": "recursion",
    "large": "too_large",
    "many": "too_large",
    "nested": "too_large",
    "itself": "too_large",
    "no_number": "no_plain_value",
    "object": "no_plain_value",
    "interrupt": "raised",
    "thread": "thread",
}
"""Errors of the attacks, where the first refusal is known."""
CONTAINED = {
    "break_text": "import json\n    json.dumps = lambda *a, **b: '[[['\n    return 1",
    "break_exit": "import os\n    os._exit = lambda code: None\n    return 1",
    "break_compare": "import math\n    math.isclose = lambda *a, **b: True\n    return 1",
    "break_builtins": "import builtins\n    builtins.len = None\n    return 1",
}
"""Bodies that damage the process that runs them, and return 1."""


@pytest.fixture(scope="session")
def tools_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tools_folder = tmp_path_factory.mktemp("tools")
    (tools_folder / "kept").write_text("kept")
    (tools_folder / "plain.py").write_text(PLAIN)
    bodies = {**ATTACKS, **CONTAINED}
    for name, body in bodies.items():
        text = f"def {name}():\n    {body.format(folder=tools_folder)}\n"
        (tools_folder / f"{name}.py").write_text(text)
    (tools_folder / "at_import.py").write_text("while True: pass\ndef at_import():\n    return 1\n")
    (tools_folder / "cut_out.py").write_text("def cut_out(a: List[int]) -> Any:\n    return a[0]\n")
    (tools_folder / "needs_more.py").write_text("import nowhere\ndef needs_more():\n    return 1\n")
    (tools_folder / "no_python.py").write_text("def no_python(:\n    return 1\n")
    (tools_folder / "brackets.py").write_text(f"def brackets():\n    return {'(' * 5000}\n")
    return tools_folder


@pytest.fixture(scope="session")
def runner(tools_folder: Path) -> Iterator[Runner]:
    with Runner(tools_folder, seconds=0.25) as function_runner:
        yield function_runner


@pytest.fixture(scope="session")
def patient_runner(tools_folder: Path) -> Iterator[Runner]:
    """Return a runner whose time limit suffices for functions that end by themselves."""
    with Runner(tools_folder, seconds=4) as function_runner:
        yield function_runner


def call(name: str, /, **arguments: Value) -> Run:
    return Run(name, tuple(arguments.items()), tuple(arguments))


def test_results_are_passed_between_calls(runner: Runner) -> None:
    calls = [
        call("half", amount=9),
        Run("both", (("low", Ref(0)), ("high", 1)), outputs=("lower", "higher")),
        call("minus", left=Ref(1, "higher"), right=Ref(1, "lower")),
        call("parts", name=Composed(("no. ", Ref(2)))),
        call("minus", left=Ref(3, "first", "[1].b"), right=Ref(3, "n")),
    ]
    assert runner.run(calls[:4]).value == {"first": ["no. -3.5", {"b": 7}], "n": 3}
    assert runner.run(calls) == Ran(5, 4)
    assert runner.run(calls[:1], {"all": [Ref(0, "result")]}).error == "unresolved_reference"
    assert runner.run(calls[:1], {"all": [Ref(0)]}).value == {"all": [4.5]}


@pytest.mark.parametrize(
    ("run", "value", "error"),
    [
        (Run("minus", (("right", 1), ("left", 3)), ("left", "right")), 2, ""),
        (Run("minus", (("left", 3),)), 2, ""),
        (Run("minus", (("arg_1", 1), ("arg_0", 3)), ("arg_0", "arg_1")), 2, ""),
        (Run("minus", (("other", 1),), ("left", "right")), None, "bad_arguments"),
        (Run("minus", (("left", 1), ("other", 3)), ("left", "right")), None, "bad_arguments"),
        (Run("half", (("amount", "8"),), ("amount",)), None, "raised"),
        (Run("root", (("value", 9),), ("value",)), 3, ""),
        (Run("several", ()), [1, 2, 3], ""),
        (Run("counted", ()), 1, ""),
        (Run("zebra", ()), None, "unknown_function"),
        (Run("no_python", ()), None, "unreadable_function"),
        (Run("brackets", ()), None, "unreadable_function"),
        (Run("at_import", ()), None, "timeout"),
        (Run("cut_out", (("a", [4]),)), 4, ""),
        (Run("needs_more", ()), None, "unloadable_function"),
    ],
)
def test_arguments_are_bound_by_name(runner: Runner, run: Run, value: Value, error: str) -> None:
    outcome = runner.run([run])
    assert (outcome.value, outcome.error) == (value, error)


def test_missing_module_is_named_in_the_message(runner: Runner) -> None:
    assert runner.run([Run("needs_more", ())]).message == "ModuleNotFoundError: nowhere"


def test_published_binding_is_by_position(runner: Runner) -> None:
    exchanged = Run("minus", (("right", 1), ("left", 3)), ("left", "right"))
    assert runner.run([exchanged], bind="place").value == -2


@pytest.mark.parametrize("name", ATTACKS)
def test_attack_returns_no_value_and_changes_no_file(
    tools_folder: Path, runner: Runner, patient_runner: Runner, name: str
) -> None:
    before = sorted(tools_folder.iterdir())
    start = time.monotonic()
    is_timeout = CLASSES.get(name, "timeout") == "timeout"
    outcome = (runner if is_timeout else patient_runner).run([call(name)])
    assert outcome.value is None
    assert outcome.error in ERRORS
    assert outcome.error == CLASSES.get(name, outcome.error)
    assert time.monotonic() - start < 8
    assert sorted(tools_folder.iterdir()) == before
    assert runner.run([call("half", amount=len(name))]).value == len(name) / 2


@pytest.mark.parametrize("name", CONTAINED)
def test_damaged_process_does_not_affect_later_runs(runner: Runner, name: str) -> None:
    outcome = runner.run([call(name)])
    assert outcome.value in (None, 1)
    assert runner.run([call("half", amount=f"{name}")]).error == "raised"
    assert runner.run([call("half", amount=3), call("counted")]) == Ran(2, 1)


def test_memory_recursion_and_result_size_are_bounded(patient_runner: Runner) -> None:
    assert patient_runner.run([call("memory")]).error == "memory"
    assert patient_runner.run([call("deep")]).error == "recursion"
    assert patient_runner.run([call("large")]).error == "too_large"


def test_lost_process_is_restarted(tools_folder: Path) -> None:
    with Runner(tools_folder, seconds=0.25) as runner:
        assert runner.run([call("half", amount=1)]).value == 0.5
        process = runner._process
        assert process is not None
        process.kill()
        process.wait()
        assert runner.run([call("half", amount=2)]).error == "died"
        assert runner.run([call("half", amount=3)]).value == 1.5
    assert runner._process is None


def test_function_map_gives_the_file_of_a_function(tmp_path: Path) -> None:
    (tmp_path / "func_file_map.json").write_text('{"twice": "a.py", "away": "../x.py"}')
    (tmp_path / "a.py").write_text("def twice(number):\n    return 2 * number\n")
    (tmp_path / "b.py").write_text("def twice(arg_0):\n    return -2 * arg_0\n")
    with Runner(tmp_path) as runner:
        assert not runner.knows("away")
        assert runner.run([call("twice", number=2)]).value == 4
        assert runner.run([call("twice", arg_0=2)]).value == -4


def test_folder_without_functions_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("def twice(number):")
    with pytest.raises(RunError, match="contains no Python file with a function"), Runner(tmp_path):
        pass
    (tmp_path / "func_file_map.json").write_text("[]")
    with (
        pytest.raises(RunError, match="expected a JSON object that maps functions"),
        Runner(tmp_path),
    ):
        pass
