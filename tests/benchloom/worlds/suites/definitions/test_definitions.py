"""Check what the tools of defined apps do, which calls they refuse, and which tasks they give."""

from contextlib import ExitStack
from itertools import islice
from pathlib import Path

import msgspec
import pytest

from benchloom.core.errors import RejectedInputError, RunError
from benchloom.core.records.values import Plain
from benchloom.storage.inputs import list_objects
from benchloom.storage.tables import write_table
from benchloom.worlds.proofs import OpenWorlds, prove
from benchloom.worlds.session import Session
from benchloom.worlds.suites import SUITES
from benchloom.worlds.suites.definitions import candidates, load
from benchloom.worlds.suites.definitions.methods import methods_of
from benchloom.worlds.suites.definitions.requests.candidates import candidates_of
from benchloom.worlds.suites.definitions.requests.phrases import with_thing
from benchloom.worlds.suites.definitions.words import noun_of_title, noun_of_type
from benchloom.worlds.suites.definitions.world import read_start, starts_of
from benchloom.worlds.world import World
from tests.benchloom.worlds.suites.definitions.sample import (
    APP,
    DEFINITIONS,
    EXPECTED_VERBS,
    START,
    api,
)
from tests.benchloom.worlds.suites.definitions.support import check_declared

FIND_NOTES = "garden.NoteEntity"


@pytest.fixture
def world() -> World:
    return SUITES.find("definitions").world(START)


def test_verb_of_an_api_follows_from_structure_and_words() -> None:
    methods = methods_of(DEFINITIONS)
    verbs = {m.definition.api.removeprefix(f"{APP}."): (m.verb, m.stub) for m in methods}
    assert verbs == EXPECTED_VERBS


def test_start_keeps_the_properties_that_methods_need(world: World) -> None:
    methods = methods_of(read_start(START).definitions)
    assert {m.definition.api: m.properties for m in methods} == {
        m.definition.api: m.properties for m in methods_of(DEFINITIONS)
    }
    check_declared(world)


@pytest.mark.parametrize(
    ("kind", "noun"),
    [
        ("ReminderEntity", "reminder"),
        ("TTRReminderAppEntity", "reminder"),
        ("EventEntity_v0", "event"),
        ("WFCalendarEventContentItem", "calendar event"),
        ("com.example.TabGroupEntity", "tab group"),
        ("Entity", "entity"),
        ("123", "123"),
    ],
)
def test_noun_is_derived_from_a_type(kind: str, noun: str) -> None:
    assert noun_of_type(kind) == noun


def test_noun_is_derived_from_a_title() -> None:
    titles = ("Add a New Reminder via Post", "Create New Note With Content", "Delete Entries", "Go")
    assert list(map(noun_of_title, titles)) == ["reminder", "note", "entry", ""]


def test_entities_can_be_created_found_changed_and_deleted(world: World) -> None:
    with Session(world) as session:
        creation = session.call("garden.CreateNoteIntent", {"name": "Seeds", "isPinned": False})
        assert [(effect.kind, effect.table) for effect in creation.effects] == [("added", "note")]
        search = session.call(FIND_NOTES, {"WFContentItemFilter": "seed"})
        assert search.result == [creation.result]
        assert isinstance(creation.result, dict)
        note = creation.result["id"]
        pinned = session.call("garden.UpdateNoteIntent", {"target": note, "isPinned": True})
        assert pinned.result == {**creation.result, "isPinned": True}
        moved = session.call("garden.MoveNoteIntent", {"target": note, "folder": "Invoices"})
        assert [effect.kind for effect in moved.effects] == ["changed"]
        renamed = session.call("garden.UpdateNoteIntent", {"target": note, "newName": "Bulbs"})
        assert isinstance(renamed.result, dict)
        assert (renamed.result["name"], renamed.result["folder"]) == ("Bulbs", "Invoices")
        deletion = session.call("garden.DeleteNotesIntent", {"entities": [note, note]})
        assert [effect.kind for effect in deletion.effects] == ["removed"]
        assert session.call(FIND_NOTES, {"WFContentItemFilter": "bulbs"}).result == []
        limited = {"WFContentItemLimitEnabled": True, "WFContentItemLimitNumber": 2}
        limited_result = session.call(FIND_NOTES, {"WFContentItemFilter": "", **limited}).result
        assert isinstance(limited_result, list)
        assert len(limited_result) == 2


def test_setting_keeps_its_value_and_other_calls_are_recorded(world: World) -> None:
    with Session(world) as session:
        for on in (True, False):
            session.call("garden.ShowWeedsEntity-UpdatableEntity", {"value": on})
            setting = session.call("garden.ShowWeedsEntity", {}).result
            assert isinstance(setting, dict)
            assert setting["value"] is on
        session.call("garden.SetWateringIntent", {"mode_of_water": "spray"})
        for tool in ("SearchIntent", "PruneIntent"):
            effects = session.call(f"garden.{tool}", {}).effects
            assert [(effect.kind, effect.table) for effect in effects] == [("added", "calls")]
    assert "(A stub: neither structure nor name" in world.tools["garden.PruneIntent"].about
    assert "stub" not in world.tools["garden.SearchIntent"].about


@pytest.mark.parametrize(
    ("tool", "arguments", "kind", "message"),
    [
        ("CreateNoteIntent", {}, "invalid_argument", "`name` is missing"),
        ("CreateNoteIntent", {"name": 7}, "invalid_argument", "String"),
        ("CreateNoteIntent", {"name": "x", "due": "soon"}, "invalid_argument", "Date"),
        ("CreateNoteIntent", {"name": "x", "isPinned": "yes"}, "invalid_argument", "Boolean"),
        ("CreateNoteIntent", {"name": "x", "extra": 1}, "invalid_argument", "unknown parameter"),
        ("SetWateringIntent", {"mode_of_water": "flood"}, "invalid_argument", "drip, spray"),
        ("SetWateringIntent", {}, "invalid_argument", "nothing to change"),
        ("UpdateNoteIntent", {"isPinned": True}, "invalid_argument", "`target` selects no entity"),
        ("UpdateNoteIntent", {"target": "x", "isPinned": True}, "not_found", "no row"),
        ("MoveNoteIntent", {"target": "x", "folder": "Nowhere"}, "not_found", "no row"),
        ("DeleteNotesIntent", {"entities": "x"}, "invalid_argument", "a list of"),
        ("NoteEntity", {}, "invalid_argument", "`WFContentItemFilter` is missing"),
        (
            "NoteEntity",
            {"WFContentItemFilter": "", "WFContentItemLimitNumber": 1},
            "invalid_argument",
            "is not allowed with this value of `WFContentItemLimitEnabled`",
        ),
        ("SearchIntent", {"criteria": "\ud800"}, "invalid_argument", "cannot be stored"),
    ],
)
def test_call_that_violates_its_definition_is_refused(
    world: World, tool: str, arguments: dict[str, Plain], kind: str, message: str
) -> None:
    with Session(world) as session:
        outcome = session.call(f"garden.{tool}", arguments)
    assert outcome.refused == kind
    assert message in outcome.message


def test_most_generated_candidates_pass_the_proofs() -> None:
    sample = list(islice(candidates_of({APP: START}, "definitions", 0), 40))
    assert sample == list(islice(candidates_of({APP: START}, "definitions", 0), 40))
    open_worlds = OpenWorlds()
    tasks = []
    for candidate in sample[:14]:
        try:
            tasks.append(prove(candidate, open_worlds))
        except RejectedInputError as error:
            assert error.reason in {"redundant_call", "no_need"}
    open_worlds.close()
    assert len(tasks) >= 8
    assert len({call.tool for task in tasks for call in task.calls}) >= 5
    assert not any(call.redundant or call.idle for task in tasks for call in task.calls)


@pytest.mark.parametrize(
    ("title", "noun", "order"),
    [
        ("Open Note", "note", "open IT"),
        ("Open Note in Garden", "note", "open IT in Garden"),
        ("Show Next Step", "recipe", "show the next step for IT"),
        ("Skip Content on Garden TV", "garden tv", "skip content on IT"),
        ("Open Generic Note", "note", "open IT"),
        ("Start Call", "contact", "start a call with IT"),
    ],
)
def test_title_becomes_an_instruction_about_an_object(title: str, noun: str, order: str) -> None:
    assert with_thing(title, noun, "IT", "") == order


def test_start_contains_no_personal_data() -> None:
    note = msgspec.structs.replace(DEFINITIONS[0], description="Ask ada.oduya@lomm-ferries.com")
    start = starts_of([note])[APP]
    assert "ada.oduya" not in start
    assert read_start(start).definitions[0].api == note.api


def test_definitions_without_possible_requests_raise_run_error(tmp_path: Path) -> None:
    path = tmp_path / "api_definitions.parquet"
    write_table("api_definitions", [api("PruneIntent", "Prune")], path)
    with ExitStack() as stack:
        files = list(list_objects([tmp_path], stack))
        assert list(load(files).starts) == [APP]
        for sources, message in ((files, "no requests fit"), ([], "needs definitions")):
            with pytest.raises(RunError, match=message):
                candidates(sources, 0)


@pytest.mark.parametrize("damage", ["{}", START[:-2], START.replace('"app":', '"apps":', 1)])
def test_damaged_definitions_start_is_refused(damage: str) -> None:
    with pytest.raises(RunError, match="not an initial state of a world of definitions"):
        SUITES.find("definitions").world(damage)
