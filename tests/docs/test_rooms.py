"""Check that page, folders and import contract agree on the rooms (subpackages) of the core."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MAX_ROOMS = 8


def test_page_and_contract_list_the_rooms_in_one_order() -> None:
    page = (ROOT / "docs" / "pages" / "architecture.md").read_text()
    table = page.partition("| room | contains |")[2].partition("\n\n")[0]
    listed_rooms = re.findall(r"^\| `(\w+)/` \|", table, re.MULTILINE)
    folders = {path.parent.name for path in (ROOT / "benchloom").glob("*/__init__.py")}
    assert set(listed_rooms) == folders
    assert len(listed_rooms) == len(folders) <= MAX_ROOMS
    modules = {path.name for path in (ROOT / "benchloom").glob("*.py")}
    assert modules == {"__init__.py"}
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts = settings["tool"]["importlinter"]["contracts"]
    (rooms,) = (entry for entry in contracts if entry["name"] == "rooms of benchloom")
    layers = [layer.split(" | ") for layer in rooms["layers"]]
    assert [room for layer in layers for room in layer] == listed_rooms


def test_page_names_every_room_of_the_flows() -> None:
    page = (ROOT / "docs" / "pages" / "architecture.md").read_text()
    sentence = page.partition("The rooms of `flows/`")[2].partition("\n\n")[0]
    folders = {path.parent.name for path in (ROOT / "flows").glob("*/__init__.py")}
    assert set(re.findall(r"`(\w+)/`", sentence)) == folders
    assert len(folders) <= MAX_ROOMS
