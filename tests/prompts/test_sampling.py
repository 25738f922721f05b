"""Check that sampled chains consist of two or three different tools that fit together."""

from pathlib import Path

import pyarrow
import pytest
from msgspec.structs import replace
from pyarrow import parquet

from benchloom.core.identity import pick
from prompts.tools.chain_rules import can_follow
from prompts.tools.sampling import ChainSampler, described, observed_links, unlike
from prompts.tools.tool import Tool, ToolField, ToolParameter, read_tools
from tests.support.llm.world import shortcuts_folder, write_paths


def tool(
    api: str, takes: dict[str, str], gives: dict[str, str], title: str = "", app: str = "gardens"
) -> Tool:
    return Tool(
        api,
        title or f"Get {api}",
        "",
        tuple(ToolParameter(name, kind) for name, kind in takes.items()),
        tuple(ToolField(name, kind) for name, kind in gives.items()),
        app,
    )


FIND = tool("find", {"town": "string"}, {"garden": "GardenEntity"})
HOURS = tool("hours", {"place": "gardenentity"}, {"opens": "date"})
BOOK = tool("book", {"when": "Date"}, {"ticket": "TicketEntity"})
ALONE = tool("alone", {"lamp": "LampEntity"}, {"done": "boolean"})
ITSELF = tool("itself", {"tree": "TreeEntity"}, {"tree": "TreeEntity"})


def sample_chains(*tools: Tool, count: int = 60) -> set[tuple[str, ...]]:
    sampler = ChainSampler(tools)
    return {
        tuple(chain_tool.api for chain_tool in sampler.chain(7, number)) for number in range(count)
    }


def test_chain_has_two_or_three_fitting_tools() -> None:
    assert sample_chains(FIND, HOURS, BOOK, ALONE) == {
        ("find", "hours"),
        ("find", "hours", "book"),
        ("hours", "book"),
    }


@pytest.mark.parametrize("tools", [(), (ALONE,), (ITSELF,), (ALONE, ITSELF), (FIND, BOOK)])
def test_unconnected_tools_yield_no_chain(tools: tuple[Tool, ...]) -> None:
    assert sample_chains(*tools) == {()}


@pytest.mark.parametrize("kind", ["string", "text", "boolean", "integer", "any", ""])
def test_plain_types_connect_only_by_name(kind: str) -> None:
    giver = tool("giver", {}, {"value": kind})
    assert sample_chains(giver, tool("taker", {"other": kind}, {})) == {()}
    assert sample_chains(giver, tool("taker", {"Value": kind.upper()}, {})) == {("giver", "taker")}


def test_chain_depends_on_its_number_and_not_on_tool_order() -> None:
    tools = (FIND, HOURS, BOOK, ALONE)
    first, second = ChainSampler(tools), ChainSampler(tools[::-1])
    for number in range(40):
        assert first.chain(3, number) == second.chain(3, number) == first.chain(3, number)
    assert [pick(1, 2, "start0", 97), pick(1, 3, "start0", 97)] == [32, 21]
    assert {pick(1, number, "x", 3) for number in range(60)} == {0, 1, 2}


def test_chain_excludes_equal_tool_names_and_echoed_values() -> None:
    first_tool = Tool(
        "a.find_bus", "Find bus", "Finds", (ToolParameter("town", "string"),), FIND.returns
    )
    second_tool = Tool(
        "b.find_bus", "FindBus", "Finds", (ToolParameter("garden", "GardenEntity"),), ()
    )
    assert sample_chains(first_tool, second_tool) == {()}
    echo = tool("echo", {"town": "string"}, {"town": "string"})
    assert sample_chains(echo, tool("taker", {"town": "string"}, {})) == {()}
    assert sample_chains(
        tool("tells", {}, {"town": "string"}), tool("taker", {"town": "string"}, {})
    ) == {("tells", "taker")}


def test_undescribed_and_duplicate_tools_are_not_offered() -> None:
    described_tool = Tool("a.find_bus", "Find bus", "Finds a bus")
    duplicate_tool = Tool("b.find_bus", "FindBus", "Finds a bus")
    assert described([duplicate_tool, FIND, described_tool]) == [described_tool, duplicate_tool]
    assert unlike([described_tool, duplicate_tool, FIND]) == (described_tool, FIND)
    other = Tool("a.find_bus", "Find a coach", "Finds a coach")
    assert unlike([described_tool, other]) == (described_tool,)


def test_tools_with_internal_names_in_texts_are_excluded() -> None:
    described_tool = replace(FIND, description="Finds a public garden in a town")
    inner = replace(HOURS, description="Change the OPEN_HOURS value of OPEN_HOURS")
    assert described([described_tool, inner, BOOK]) == [described_tool]


def test_tool_texts_omit_details_of_the_editor(tmp_path: Path) -> None:
    parameters = [
        ("ShowWhenRun", "Show", "true: On; false: Off"),
        ("town", "Town", "Placeholder: Nordhafen"),
        ("dogs", None, "Boolean flag indicating whether dogs may come\ntrue: On; false: Off"),
    ]
    row = {
        "definition_id": "api:1",
        "api": "gardens.find",
        "app": "gardens",
        "title": "Find Garden <no loc>",
        "description": "Finds a garden\nPlaceholder: Garden",
        "parameters": [
            {
                "name": name,
                "title": title,
                "description": text.replace("\\\n", "\n"),
                "type": "string",
                "type_kind": "primitive",
                "optional": False,
                "multiple": False,
                "enum_values": [{"value": "a", "title": "A"}],
            }
            for name, title, text in parameters
        ],
        "returns": [{"name": "garden", "type": "GardenEntity", "multiple": False}],
    }
    parquet.write_table(pyarrow.Table.from_pylist([row]), tmp_path / "api_definitions.parquet")
    (garden_tool,) = read_tools(tmp_path)
    assert (garden_tool.title, garden_tool.description) == ("Find Garden", "Finds a garden")
    assert [(parameter.name, parameter.description) for parameter in garden_tool.parameters] == [
        ("town", "Town"),
        ("dogs", "Whether dogs may come"),
    ]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Create album", "Rename album"),
        ("Create album", "Delete album"),
        ("Create album", "Show album"),
        ("Create album", "Create link for album"),
        ("Duplicate photos", "Paste edits"),
        ("Duplicate photos", "Rotate"),
        ("Create group", "Open group"),
        ("Get default card", "Share card"),
        ("Get contents of album", "Favorite album"),
        ("Find album", "Search albums"),
        ("Move album", "Move photos"),
        ("Delete album", "Share album"),
        ("Get album", "Put album"),
        ("Get albums", "Add album"),
        ("Get timer", "Stop timer"),
        ("Buy album", "Get price"),
        ("Create album", "Bookmark album"),
        ("Create album", "Move albums"),
        ("Create album", "Add or remove tags"),
        ("Duplicate album", "Save albums"),
        ("Duplicate photos", "Add photos to album"),
        ("Get saved albums", "Save album"),
        ("Get album", "Show previous photo"),
    ],
)
def test_chain_must_not_undo_or_waste_its_first_call(first: str, second: str) -> None:
    entity = "AlbumEntity"
    taker = tool("second", {"album": entity}, {}, second)
    assert not can_follow(tool("first", {}, {"result": entity}, first), taker)
    last_tool = tool("last", {"album": entity}, {}, "Share album")
    start = tool("first", {}, {"result": entity}, "Find album")
    assert sample_chains(start, last_tool) == {("first", "last")}


def test_links_observed_in_several_plans_join_apps(tmp_path: Path) -> None:
    source = write_paths(shortcuts_folder(tmp_path / "in", 2))
    assert observed_links(source) == frozenset()
    plans = parquet.read_table(source / "planning_paths.parquet")
    parquet.write_table(pyarrow.concat_tables([plans, plans]), source / "planning_paths.parquet")
    links = observed_links(source)
    assert links == {("Restaurants_2.ReserveRestaurant", "RideSharing_1.GetRide")}
    table = tool("Restaurants_2.ReserveRestaurant", {}, {"address": "string"}, "Find table", "a")
    ride = tool("RideSharing_1.GetRide", {"destination": "string"}, {}, "Get ride", "b")
    sampler = ChainSampler([table, ride], links)
    assert sampler.chain(0, 0) == (table, ride)
    assert ChainSampler([table, ride]).chain(0, 0) == ()


@pytest.mark.parametrize(("gives_list", "takes_list"), [(True, False), (True, True), (False, True)])
def test_list_connects_only_to_a_list_parameter(*, gives_list: bool, takes_list: bool) -> None:
    field = ToolField("garden", "GardenEntity", gives_list)
    taker = ToolParameter("place", "gardenentity", is_list=takes_list)
    expected = {("find", "hours")} if takes_list or not gives_list else {()}
    assert (
        sample_chains(replace(FIND, returns=(field,)), replace(HOURS, parameters=(taker,)))
        == expected
    )
