"""A kind finds the members of a package, and refuses what is not a member or not the only one."""

import itertools
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, runtime_checkable

import msgspec
import pytest

from benchloom.core.errors import RunError
from benchloom.core.kinds import LIKE_ITS_MODULE, Kind, UnknownMemberError, nearest

FRESH = itertools.count()


class Tree(msgspec.Struct, frozen=True):
    """A member that the packages of these tests offer."""

    name: str
    height: int = 1


@runtime_checkable
class Sower(Protocol):
    """A module that can do something."""

    SEEDS: tuple[str, ...]

    def sow(self) -> int:
        """Do it."""


class Packages:
    """Packages in a folder that can be imported."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def make(self, **modules: str) -> str:
        """The dotted name of a new package of these modules."""
        name = f"grove_{next(FRESH)}"
        (self._folder / name).mkdir()
        (self._folder / name / "__init__.py").touch()
        for module, code in modules.items():
            (self._folder / name / f"{module}.py").write_text(code)
        return name


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Packages]:
    monkeypatch.syspath_prepend(tmp_path)
    yield Packages(tmp_path)
    for name in [name for name in sys.modules if name.startswith("grove_")]:
        del sys.modules[name]


def tree(name: str) -> str:
    return f"from tests.benchloom.core.test_kinds import Tree\nTREE = Tree({name!r}, 1)\n"


SOWER = "SEEDS = ({!r},)\n\ndef sow():\n    return 1\n"


def trees(package: str) -> Kind[Tree]:
    return Kind("tree", package, Tree, attribute="TREE")


def test_members_are_found_by_name(packages: Packages) -> None:
    kind = trees(packages.make(oak=tree("oak"), ash=tree("ash"), _soil="1 / 0"))
    assert list(kind.all()) == ["ash", "oak"]
    assert kind.names() == ("ash", "oak")
    assert kind.find("oak") == Tree("oak")
    assert kind.all() is kind.all()


def test_what_stands_beside_members_is_none(packages: Packages) -> None:
    package = packages.make(oak=tree("oak"), base="")
    with pytest.raises(RunError, match=rf"^{package}\.base defines no TREE, so it is not a tree$"):
        trees(package).all()
    kind = Kind("tree", package, Tree, attribute="TREE", beside=("base",))
    assert kind.names() == ("oak",)
    assert list(kind.all()) == ["oak"]
    stale = Kind("tree", package, Tree, attribute="TREE", beside=("base", "roots"))
    with pytest.raises(
        RunError, match=rf"^{package} has no module 'roots'; remove it from `beside` of the Kind$"
    ):
        stale.names()


def test_one_member_is_found_without_the_others(packages: Packages) -> None:
    kind = trees(packages.make(oak=tree("oak"), elm="raise RuntimeError('imported')"))
    assert kind.names() == ("elm", "oak")
    assert kind.find("oak").name == "oak"
    with pytest.raises(RuntimeError, match="imported"):
        kind.all()


def test_a_member_of_another_class_is_refused(packages: Packages) -> None:
    kind = trees(packages.make(oak="TREE = 'oak'"))
    for ask in (kind.all, lambda: kind.find("oak")):
        with pytest.raises(RunError, match="oak defines no TREE, so it is not a tree"):
            ask()


def test_a_member_is_called_like_its_module(packages: Packages) -> None:
    package = packages.make(oak=tree("elm"))
    for ask in (trees(package).all, lambda: trees(package).find("oak")):
        with pytest.raises(
            RunError, match=rf"{package}\.oak defines the .* 'elm', .*; rename it to 'oak'"
        ):
            ask()


def test_an_unknown_name_is_answered(packages: Packages) -> None:
    kind = trees(packages.make(oak=tree("oak"), red_beech=tree("red_beech")))
    with pytest.raises(UnknownMemberError, match=r"^unknown tree 'beech'; .*'red_beech'\?$"):
        kind.find("beech")
    with pytest.raises(UnknownMemberError, match=r"unknown tree 'x'; known: oak, red_beech$"):
        kind.find("x")
    with pytest.raises(UnknownMemberError, match=r"unknown tree 'x'; known: bush, oak, red_beech"):
        kind.find("x", also=("bush",))
    with pytest.raises(UnknownMemberError, match="did you mean 'bush'"):
        kind.find("bosh", also=("bush",))
    assert UnknownMemberError.exit_code == 2


def test_a_name_may_be_written_with_other_marks(packages: Packages) -> None:
    kind = trees(packages.make(red_beech=tree("red_beech")))
    assert {kind.find(name).name for name in ("red-beech", "red.beech")} == {"red_beech"}
    assert list(kind.all()) == ["red_beech"]
    assert kind.find("red-beech") is kind.find("red_beech")
    dashed = Kind("sower", packages.make(oak_tree=SOWER.format("a")), Sower, dashed=True)
    assert dashed.names() == tuple(dashed.all()) == ("oak-tree",)
    assert dashed.find("oak_tree") is dashed.find("oak-tree")


def test_a_member_may_be_called_as_its_module_is(packages: Packages) -> None:
    package = packages.make(oak="oak = 7", elm="elm = 9")
    assert Kind("count", package, int, attribute=LIKE_ITS_MODULE).all() == {"elm": 9, "oak": 7}


def test_a_module_can_be_the_member(packages: Packages) -> None:
    kind = Kind("sower", packages.make(oak=SOWER.format("acorn")), Sower)
    assert kind.find("oak").sow() == 1
    package = packages.make(oak="SEEDS = ()")
    with pytest.raises(RunError, match=rf"^{package}\.oak defines no sow, so it is not a sower$"):
        Kind("sower", package, Sower).all()


def test_members_can_name_themselves_but_not_alike(packages: Packages) -> None:
    oak, elm = SOWER.format("acorn"), SOWER.format("wing")
    package = packages.make(oak=oak, elm=elm)
    kind = Kind("sower", package, Sower, names=lambda _, sower: sower.SEEDS)
    assert kind.names() == ("acorn", "wing")
    assert kind.find("wing") is kind.all()["wing"]
    with pytest.raises(UnknownMemberError, match="did you mean 'acorn'"):
        kind.find("acor")
    alike = packages.make(oak=oak, elm=oak)
    with pytest.raises(RunError, match=rf"two sowers are called 'acorn': {alike}.elm, {alike}.oak"):
        Kind("sower", alike, Sower, names=lambda _, sower: sower.SEEDS).all()


def test_no_two_members_claim_the_same(packages: Packages) -> None:
    both = packages.make(oak=SOWER.format("acorn"), elm=SOWER.format("acorn"))
    assert len(Kind("sower", both, Sower).all()) == 2
    with pytest.raises(RunError, match=rf"two sowers claim acorn: {both}\.elm, {both}\.oak"):
        Kind("sower", both, Sower, claims=lambda sower: sower.SEEDS).all()
    twice = packages.make(oak="SEEDS = ('acorn', 'acorn')\n\ndef sow():\n    return 1\n")
    assert list(Kind("sower", twice, Sower, claims=lambda sower: sower.SEEDS).all()) == ["oak"]


def test_members_of_one_class_among_several(packages: Packages) -> None:
    package = packages.make(oak=tree("oak"), elm="TREE = 'elm'")
    kind: Kind[Tree | str] = Kind("tree", package, (Tree, str), attribute="TREE")
    assert kind.only(Tree) == {"oak": Tree("oak")}
    assert kind.only(str) == {"elm": "elm"}
    with kind.joined(packages.make(ash=tree("ash"))):
        assert list(kind.only(Tree)) == ["ash", "oak"]
    assert list(kind.only(Tree)) == ["oak"]


def test_another_package_joins_for_a_while(packages: Packages) -> None:
    kind = trees(packages.make(oak=tree("oak")))
    assert kind.names() == tuple(kind.all()) == ("oak",)
    with kind.joined(packages.make(ash=tree("ash"))):
        assert kind.names() == tuple(kind.all()) == ("ash", "oak")
        assert kind.find("ash").name == "ash"
        with kind.joined(packages.make(elm=tree("elm"))):
            assert kind.names() == ("ash", "elm", "oak")
        assert kind.names() == ("ash", "oak")
    assert kind.names() == tuple(kind.all()) == ("oak",)
    with pytest.raises(UnknownMemberError):
        kind.find("ash")


def test_a_package_that_joins_brings_no_second_one(packages: Packages) -> None:
    package, other = packages.make(oak=tree("oak")), packages.make(oak=tree("oak"))
    kind = trees(package)
    with kind.joined(other):
        for ask in (kind.all, kind.names, lambda: kind.find("oak")):
            with pytest.raises(RunError, match=rf"'oak': {package}\.oak, {other}\.oak"):
                ask()
    assert kind.find("oak").name == "oak"


def test_it_parts_after_a_fault(packages: Packages) -> None:
    kind = trees(packages.make(oak=tree("oak")))
    with pytest.raises(ZeroDivisionError), kind.joined(packages.make(ash="1 / 0")):
        kind.all()
    assert list(kind.all()) == ["oak"]


def test_the_nearest_name() -> None:
    assert nearest("OPENAI", ("openai", "nestful")) == "did you mean 'openai'?"
    assert nearest("zzz", ("b", "a")) == "known: a, b"
    assert nearest("word", ()) == "known: "
