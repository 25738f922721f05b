"""Check that runs use no files, sockets, processes or system clock, and are repeatable."""

import ast
from pathlib import Path

import pytest

from benchloom.device.answers import AnswersFile, Draws
from benchloom.device.runs import run
from tests.support.python import python
from tests.support.small_shortcuts import small_shortcut

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "tests" / "data" / "device"
CLOCKS = frozenset({"now", "today", "utcnow", "time", "time_ns", "localtime", "gmtime"})
_LABELS = ("equal: ", "different: ")

_JAIL = """
import sys
from benchloom.device.conformance.kit import all_examples
from benchloom.device.runs import run
from tests.benchloom.device.test_jail import small_shortcuts
from tests.support.small_shortcuts import small_shortcut

shortcuts = [small_shortcut(text) for text in small_shortcuts()]

def run_everything():
    for case in all_examples():
        case.run()
    return [run(shortcut).digest for shortcut in shortcuts]

first = run_everything()  # imports modules and builds the initial state of the world
seen = set()
FORBIDDEN = ("open", "socket.", "os.", "subprocess.", "shutil.", "tempfile.", "urllib.", "import")

def jailer(event, arguments):
    if event.startswith(FORBIDDEN) or event == "sqlite3.connect" and arguments[0] != ":memory:":
        seen.add((event, str(arguments)[:200]))

sys.addaudithook(jailer)
second = run_everything()
sys.exit(repr(seen) if seen else first != second)
"""


def small_shortcuts() -> list[str]:
    """Return the texts of the small shortcuts in the test data, without labels and titles."""
    texts = []
    for name in ("pairs.txt", "self_checking.txt"):
        for section in (DATA / name).read_text(encoding="utf-8").split("\n## ")[1:]:
            steps = section.splitlines()[1:]
            texts.append("\n".join(step for step in steps if not step.startswith(_LABELS)))
    return texts


@pytest.mark.long
def test_runs_open_no_file_socket_or_process() -> None:
    """An audit hook of Python watches the examples of every action and all small shortcuts."""
    python("-c", _JAIL, cwd=ROOT)


def test_device_modules_do_not_read_the_system_clock() -> None:
    """All modules get the time from a call or scope, which have the clock of the device."""
    readers = set()
    for path in (ROOT / "benchloom" / "device").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                owner = node.func.value
                if node.func.attr in CLOCKS and isinstance(owner, ast.Name):
                    readers.add((path.name, owner.id, node.func.attr))
    assert {owner for _, owner, _ in readers} <= {"call", "scope"}


@pytest.mark.parametrize("number", range(3))
def test_equal_inputs_give_equal_runs(number: int) -> None:
    """Every small shortcut runs twice with the same drawn answers."""
    draws = Draws(number, (0, 3, -2.5, 10), ("tea", "7", "two\nlines"))
    for text in small_shortcuts():
        shortcut, content = small_shortcut(text), ("one two", number)
        runs = [
            run(shortcut, content, answers=AnswersFile(clipboard="c"), draws=draws)
            for _ in range(2)
        ]
        assert runs[0] == runs[1]
