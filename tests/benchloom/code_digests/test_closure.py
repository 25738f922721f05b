from collections.abc import Callable
from pathlib import Path

import pytest

from benchloom.code_digests.closure import Closure, Code
from benchloom.errors import RunError

PACKAGES = ("loom", "yarn")
SOURCES = {
    "loom/__init__.py": "",
    "loom/stage.py": """
from typing import TYPE_CHECKING

import numpy as np

import yarn.dye
from loom import patterns
from yarn import spin as spin_it
if TYPE_CHECKING:
    from yarn.types import Thread


def work(n: int) -> "Thread":
    from yarn.late import finish

    return finish(spin_it(n), yarn.dye.colour(np.ones(n)), patterns.find("plain"))


def idle() -> int:
    return 1
""",
    "loom/patterns/__init__.py": """
from loom.kinds import Kind

PATTERNS = Kind("pattern", "loom.patterns")


def find(name):
    return PATTERNS[name]
""",
    "loom/patterns/plain.py": 'from loom.patterns._shared import WIDTH\n\nNAME = "plain"\n',
    "loom/patterns/satin/__init__.py": "from loom.patterns.satin.shine import GLOSS\n",
    "loom/patterns/satin/shine.py": "GLOSS = 9\nUNUSED = 8\n",
    "loom/patterns/_shared.py": "WIDTH = 3\n",
    "loom/kinds.py": "class Kind(dict):\n    def __init__(self, *args): ...\n",
    "yarn/__init__.py": "from yarn.spinning import spin\n",
    "yarn/spinning.py": """
SPEED, FORCE = 2, 3
BY_NAME = {}
BY_NAME["slow"] = SPEED


def spin(n):
    return n * SPEED


def unspin(n):
    return n / SPEED
""",
    "yarn/dye.py": """
from pathlib import Path

COLOURS = Path(__file__).with_name("colours.yaml")


def colour(n):
    return f"{COLOURS.read_text()} {n:>{len('abc')}}"
""",
    "yarn/colours.yaml": "red\n",
    "yarn/late.py": "def finish(*parts):\n    return parts\n",
    "yarn/types.py": "class Thread: ...\n",
}


@pytest.fixture
def changed(tmp_path: Path) -> Callable[..., Closure]:
    """The closure of the stage after a change of some files (old and new text of each)."""

    def closure(**changes: tuple[str, str]) -> Closure:
        for name, text in SOURCES.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            old, new = changes.get(name.replace("/", "_").split(".")[0], ("", ""))
            assert old in text
            path.write_text(text.replace(old, new) if old else text + new)
        code = Code({package: tmp_path / package for package in PACKAGES})
        return code.closure(["loom.stage:work"])

    return closure


def test_only_what_is_used_belongs_to_it(changed: Callable[..., Closure]) -> None:
    found = changed()
    assert sorted(found.definitions) == [
        "loom.kinds:Kind",
        "loom.patterns._shared:WIDTH",
        "loom.patterns.plain:NAME",
        "loom.patterns.satin.shine:GLOSS",
        "loom.patterns:PATTERNS",
        "loom.patterns:find",
        "loom.stage:work",
        "yarn.dye:COLOURS",
        "yarn.dye:colour",
        "yarn.late:finish",
        "yarn.spinning:*",
        "yarn.spinning:BY_NAME",
        "yarn.spinning:FORCE",
        "yarn.spinning:SPEED",
        "yarn.spinning:spin",
    ]
    assert found.foreign == {"numpy", "pathlib"}
    assert list(found.files) == ["yarn/colours.yaml"]


@pytest.mark.parametrize(
    "change",
    [
        {"yarn_spinning": ("n * SPEED", "n + SPEED")},
        {"yarn_spinning": ("= 2, 3", "= 4, 3")},
        {"yarn_spinning": ('["slow"]', '["fast"]')},
        {"yarn___init__": ("import spin", "import unspin as spin")},
        {"loom_stage": ("numpy", "numbers")},
        {"yarn_late": ("return parts", "return parts[:]")},
        {"yarn_dye": ("{n:>", "{n:<")},
        {"yarn_dye": ("{n:>{len('abc')}}", "{n!r:>{len('abc')}}")},
        {"yarn_colours": ("red", "blue")},
        {"loom_patterns_plain": ('"plain"', '"twill"')},
        {"loom_patterns_satin_shine": ("9", "9.0")},
        {"loom_patterns__shared": ("3", "'3'")},
        {"loom_kinds": ("(dict)", "(set)")},
    ],
)
def test_a_change_of_what_is_used_changes_the_digest(
    changed: Callable[..., Closure], change: dict[str, tuple[str, str]]
) -> None:
    assert changed().digest() != changed(**change).digest()


@pytest.mark.parametrize(
    "change",
    [
        {"loom_stage": ("return 1", "return 2")},
        {"yarn_spinning": ("n / SPEED", "n // SPEED")},
        {"yarn_types": ("class", "@final\nclass")},
        {"loom_patterns_satin_shine": ("UNUSED = 8", "UNUSED = 7")},
        {"yarn_spinning": ("def spin(n):\n", 'def spin(n):\n    """Spin."""\n    # quickly\n')},
        {
            "yarn_spinning": (
                "SPEED, FORCE = 2, 3",
                '(\n    SPEED,\n    FORCE,\n) = (2, 3,)\n"""Told."""',
            )
        },
        {"yarn_late": ("(*parts)", "(\n    *parts,\n)")},
        {"loom_patterns_plain": ('"plain"', "'pl' 'ain'")},
        {"yarn_spinning": ("\n\ndef unspin", "\n\n\n\n\ndef unspin")},
    ],
)
def test_nothing_else_changes_it(
    changed: Callable[..., Closure], change: dict[str, tuple[str, str]]
) -> None:
    assert changed().digest() == changed(**change).digest()


def test_a_new_member_of_a_kind_belongs_to_it(
    changed: Callable[..., Closure], tmp_path: Path
) -> None:
    before = changed()
    (tmp_path / "loom" / "patterns" / "twill.py").write_text("NAME = 'twill'\n")
    after = changed()
    assert after.definitions.keys() - before.definitions.keys() == {"loom.patterns.twill:NAME"}


def test_the_walk_ends_where_it_is_told(changed: Callable[..., Closure], tmp_path: Path) -> None:
    changed()
    code = Code({package: tmp_path / package for package in PACKAGES})
    without = ("yarn.spinning:spin", "yarn.dye", "loom.patterns:")
    assert code.closure(["loom.stage:work"], without).modules() == {"loom.stage", "yarn.late"}
    whole = code.closure(["loom.patterns"], ["loom.kinds"])
    assert whole.modules() >= {"loom.patterns", "loom.patterns.plain"}
    members = code.closure(["loom.patterns.plain"], ["loom.patterns:"])
    assert members.modules() == {"loom.patterns.plain", "loom.patterns._shared"}


def test_modules_that_import_each_other_are_read_once(tmp_path: Path) -> None:
    folder = tmp_path / "ring"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "a.py").write_text("from ring import b\n\n\ndef f():\n    return b\n")
    (folder / "b.py").write_text("from ring import a\n\n\ndef g():\n    return a\n")
    found = Code({"ring": folder}).closure(["ring.a:f"])
    assert sorted(found.definitions) == ["ring.a:f", "ring.b:g"]


def test_code_that_is_not_there_is_named(changed: Callable[..., Closure], tmp_path: Path) -> None:
    changed()
    code = Code({"loom": tmp_path / "loom"})
    for root in ("loom.stage:play", "loom.nowhere", "yarn.spinning:spin"):
        with pytest.raises(RunError, match=root):
            code.closure([root])
    (tmp_path / "loom" / "kinds.py").write_text("class Kind(:\n")
    with pytest.raises(RunError, match=r"kinds\.py"):
        code.closure(["loom.stage:work"])
