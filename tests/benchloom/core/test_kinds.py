"""Check that a kind finds the members of a package and refuses faulty or duplicate members."""

import itertools
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, runtime_checkable

import msgspec
import pytest

from benchloom.core.errors import RunError
from benchloom.core.kinds import LIKE_ITS_MODULE, Kind, UnknownMemberError, nearest

PACKAGE_NUMBERS = itertools.count()


class Tree(msgspec.Struct, frozen=True):
    """A member that the packages of these tests define."""

    name: str
    height: int = 1


@runtime_checkable
class Sower(Protocol):
    """A protocol for modules that are members themselves."""

    SEEDS: tuple[str, ...]

    def sow(self) -> int:
        """Return a number."""


class Packages:
    """A folder on the import path in which tests create packages."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def make(self, **modules: str) -> str:
        """Create a package of these modules and return its dotted name."""
        name = f"grove_{next(PACKAGE_NUMBERS)}"
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


def tree_source(name: str) -> str:
    """Return the source of a module that defines a tree of this name."""
    return f"from tests.benchloom.core.test_kinds import Tree\nTREE = Tree({name!r}, 1)\n"


SOWER_SOURCE = "SEEDS = ({!r},)\n\ndef sow():\n    return 1\n"


def tree_kind(package: str) -> Kind[Tree]:
    """Return a kind whose members are the trees of a package."""
    return Kind("tree", package, Tree, attribute="TREE")


def test_members_are_found_by_name(packages: Packages) -> None:
    kind = tree_kind(packages.make(oak=tree_source("oak"), ash=tree_source("ash"), _soil="1 / 0"))
    assert list(kind.all()) == ["ash", "oak"]
    assert kind.names() == ("ash", "oak")
    assert kind.find("oak") == Tree("oak")
    assert kind.all() is kind.all()


def test_modules_beside_members_must_be_listed_and_exist(packages: Packages) -> None:
    package = packages.make(oak=tree_source("oak"), base="")
    with pytest.raises(RunError, match=rf"^{package}\.base defines no TREE, so it is not a tree$"):
        tree_kind(package).all()
    kind = Kind("tree", package, Tree, attribute="TREE", beside=("base",))
    assert kind.names() == ("oak",)
    assert list(kind.all()) == ["oak"]
    stale = Kind("tree", package, Tree, attribute="TREE", beside=("base", "roots"))
    with pytest.raises(
        RunError, match=rf"^{package} has no module 'roots'; remove it from `beside` of the Kind$"
    ):
        stale.names()


def test_finding_one_member_imports_no_other(packages: Packages) -> None:
    kind = tree_kind(packages.make(oak=tree_source("oak"), elm="raise RuntimeError('imported')"))
    assert kind.names() == ("elm", "oak")
    assert kind.find("oak").name == "oak"
    with pytest.raises(RuntimeError, match="imported"):
        kind.all()


def test_member_of_another_class_is_refused(packages: Packages) -> None:
    kind = tree_kind(packages.make(oak="TREE = 'oak'"))
    for find_members in (kind.all, lambda: kind.find("oak")):
        with pytest.raises(RunError, match="oak defines no TREE, so it is not a tree"):
            find_members()


def test_member_name_must_match_its_module(packages: Packages) -> None:
    package = packages.make(oak=tree_source("elm"))
    for find_members in (tree_kind(package).all, lambda: tree_kind(package).find("oak")):
        with pytest.raises(
            RunError, match=rf"{package}\.oak defines the .* 'elm', .*; rename it to 'oak'"
        ):
            find_members()


def test_unknown_name_error_suggests_or_lists_names(packages: Packages) -> None:
    kind = tree_kind(packages.make(oak=tree_source("oak"), red_beech=tree_source("red_beech")))
    with pytest.raises(UnknownMemberError, match=r"^unknown tree 'beech'; .*'red_beech'\?$"):
        kind.find("beech")
    with pytest.raises(UnknownMemberError, match=r"unknown tree 'x'; known: oak, red_beech$"):
        kind.find("x")
    with pytest.raises(UnknownMemberError, match=r"unknown tree 'x'; known: bush, oak, red_beech"):
        kind.find("x", also=("bush",))
    with pytest.raises(UnknownMemberError, match="did you mean 'bush'"):
        kind.find("bosh", also=("bush",))
    assert UnknownMemberError.exit_code == 2


def test_dashes_dots_and_underscores_in_names_are_equivalent(packages: Packages) -> None:
    kind = tree_kind(packages.make(red_beech=tree_source("red_beech")))
    assert {kind.find(name).name for name in ("red-beech", "red.beech")} == {"red_beech"}
    assert list(kind.all()) == ["red_beech"]
    assert kind.find("red-beech") is kind.find("red_beech")
    dashed = Kind("sower", packages.make(oak_tree=SOWER_SOURCE.format("a")), Sower, dashed=True)
    assert dashed.names() == tuple(dashed.all()) == ("oak-tree",)
    assert dashed.find("oak_tree") is dashed.find("oak-tree")


def test_member_attribute_may_be_named_like_its_module(packages: Packages) -> None:
    package = packages.make(oak="oak = 7", elm="elm = 9")
    assert Kind("count", package, int, attribute=LIKE_ITS_MODULE).all() == {"elm": 9, "oak": 7}


def test_module_itself_can_be_the_member(packages: Packages) -> None:
    kind = Kind("sower", packages.make(oak=SOWER_SOURCE.format("acorn")), Sower)
    assert kind.find("oak").sow() == 1
    package = packages.make(oak="SEEDS = ()")
    with pytest.raises(RunError, match=rf"^{package}\.oak defines no sow, so it is not a sower$"):
        Kind("sower", package, Sower).all()


def test_names_that_members_choose_must_be_unique(packages: Packages) -> None:
    oak, elm = SOWER_SOURCE.format("acorn"), SOWER_SOURCE.format("wing")
    package = packages.make(oak=oak, elm=elm)
    kind = Kind("sower", package, Sower, names=lambda _, sower: sower.SEEDS)
    assert kind.names() == ("acorn", "wing")
    assert kind.find("wing") is kind.all()["wing"]
    with pytest.raises(UnknownMemberError, match="did you mean 'acorn'"):
        kind.find("acor")
    duplicates = packages.make(oak=oak, elm=oak)
    with pytest.raises(
        RunError, match=rf"two sowers are called 'acorn': {duplicates}.elm, {duplicates}.oak"
    ):
        Kind("sower", duplicates, Sower, names=lambda _, sower: sower.SEEDS).all()


def test_two_members_cannot_claim_the_same_value(packages: Packages) -> None:
    two_claims = packages.make(oak=SOWER_SOURCE.format("acorn"), elm=SOWER_SOURCE.format("acorn"))
    assert len(Kind("sower", two_claims, Sower).all()) == 2
    with pytest.raises(
        RunError, match=rf"two sowers claim acorn: {two_claims}\.elm, {two_claims}\.oak"
    ):
        Kind("sower", two_claims, Sower, claims=lambda sower: sower.SEEDS).all()
    repeated_claim = packages.make(oak="SEEDS = ('acorn', 'acorn')\n\ndef sow():\n    return 1\n")
    assert list(Kind("sower", repeated_claim, Sower, claims=lambda sower: sower.SEEDS).all()) == [
        "oak"
    ]


def test_kind_filters_its_members_by_class(packages: Packages) -> None:
    package = packages.make(oak=tree_source("oak"), elm="TREE = 'elm'")
    kind: Kind[Tree | str] = Kind("tree", package, (Tree, str), attribute="TREE")
    assert kind.only(Tree) == {"oak": Tree("oak")}
    assert kind.only(str) == {"elm": "elm"}
    with kind.joined(packages.make(ash=tree_source("ash"))):
        assert list(kind.only(Tree)) == ["ash", "oak"]
    assert list(kind.only(Tree)) == ["oak"]


def test_joined_package_adds_members_within_its_context(packages: Packages) -> None:
    kind = tree_kind(packages.make(oak=tree_source("oak")))
    assert kind.names() == tuple(kind.all()) == ("oak",)
    with kind.joined(packages.make(ash=tree_source("ash"))):
        assert kind.names() == tuple(kind.all()) == ("ash", "oak")
        assert kind.find("ash").name == "ash"
        with kind.joined(packages.make(elm=tree_source("elm"))):
            assert kind.names() == ("ash", "elm", "oak")
        assert kind.names() == ("ash", "oak")
    assert kind.names() == tuple(kind.all()) == ("oak",)
    with pytest.raises(UnknownMemberError):
        kind.find("ash")


def test_joined_package_cannot_repeat_a_member_name(packages: Packages) -> None:
    package, other = packages.make(oak=tree_source("oak")), packages.make(oak=tree_source("oak"))
    kind = tree_kind(package)
    with kind.joined(other):
        for find_members in (kind.all, kind.names, lambda: kind.find("oak")):
            with pytest.raises(RunError, match=rf"'oak': {package}\.oak, {other}\.oak"):
                find_members()
    assert kind.find("oak").name == "oak"


def test_error_removes_the_joined_package(packages: Packages) -> None:
    kind = tree_kind(packages.make(oak=tree_source("oak")))
    with pytest.raises(ZeroDivisionError), kind.joined(packages.make(ash="1 / 0")):
        kind.all()
    assert list(kind.all()) == ["oak"]


def test_nearest_suggests_a_similar_name_or_lists_all() -> None:
    assert nearest("OPENAI", ("openai", "nestful")) == "did you mean 'openai'?"
    assert nearest("zzz", ("b", "a")) == "known: a, b"
    assert nearest("word", ()) == "known: "
