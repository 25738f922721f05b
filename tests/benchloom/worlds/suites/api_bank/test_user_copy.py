"""Check that the readable databases of a copy are loaded and the others are reported."""

import json
from random import Random

import pytest

from benchloom.core.errors import BenchloomError, RejectedInputError, RunError
from benchloom.storage.inputs import SourceObject
from benchloom.worlds import Session
from benchloom.worlds.suites.api_bank.databases import databases_of
from benchloom.worlds.suites.api_bank.replay import replay
from benchloom.worlds.suites.api_bank.user_copy import START, load
from benchloom.worlds.suites.api_bank.world import world
from tests.benchloom.worlds.suites.api_bank.sample import (
    ADA,
    FILES,
    TOKEN,
    copy_of,
    dialogue_turn,
    lines,
    recorded_call,
    start,
)
from tests.fuzz.mutations import mutate_bytes
from tests.fuzz.trees import mutate_tree
from tests.support.formats import stored_object

DIALOGUE = lines(dialogue_turn("Hello"), recorded_call("GetUserToken", ADA, {"token": TOKEN}))
DAMAGED_COPIES = 60


def test_start_contains_every_database() -> None:
    loaded = load(copy_of({}))
    assert loaded.rejected == {}
    assert tuple(loaded.starts) == (START,)
    databases = databases_of(loaded.starts[START])
    assert databases.account["bo"].email == "bo@lomm.test"
    assert len(databases.search_engine.raw_documents) == 4
    assert databases.exceptions["CheckToken"] == ["No such token."]


def test_equal_copies_give_equal_starts() -> None:
    assert load(copy_of({})[::-1]).starts == load(copy_of({})).starts
    digests = []
    for _ in range(2):
        with Session(world(start())) as session:
            digests.append(session.digest())
    assert digests[0] == digests[1]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "bad_json"),
        (b"{", "bad_json"),
        (b"\xff{}", "bad_json"),
        (b'"' + b"[" * 10_000, "bad_json"),
        (b"[" * 10_000 + b"]" * 10_000, "too_deep"),
        (b"[]", "wrong_shape"),
        (b'{"ada": {"password": "x"}}', "wrong_shape"),
        (b'{"ada": {"password": "x", "token": 7}}', "wrong_shape"),
        (None, "missing"),
    ],
    ids=range(9),
)
def test_damaged_database_is_reported_and_others_are_read(data: bytes | None, reason: str) -> None:
    loaded = load(copy_of({}, {"Account.json": data}))
    ((source_uri, fault),) = loaded.rejected.items()
    assert source_uri.endswith("Account.json")
    assert fault.startswith(f"{reason}: "), fault
    databases = databases_of(loaded.starts[START])
    assert databases.account == {}
    assert databases.agenda


def test_unreadable_file_is_reported() -> None:
    problem = RejectedInputError("too_large", "999 bytes, limit 9")
    huge = SourceObject("copy/init_database/Wiki.json", 999, lambda: b"", problem=problem)
    others = [
        source_object
        for source_object in copy_of({})
        if not source_object.source_uri.endswith("Wiki.json")
    ]
    loaded = load([*others, huge])
    assert loaded.rejected == {huge.source_uri: "too_large: 999 bytes, limit 9"}


def test_file_in_the_database_folder_replaces_duplicates() -> None:
    other = stored_object("a/Bank.json", b'{"ada": {"balance": 1}}')
    loaded = load([other, *copy_of({})])
    assert loaded.rejected == {
        "a/Bank.json": "repeated: copy/init_database/Bank.json is used instead"
    }
    assert databases_of(loaded.starts[START]).bank["ada"].balance == 12.5


def test_copy_without_databases_gives_no_start() -> None:
    loaded = load([stored_object("notes.txt", b"x"), stored_object("exceptions.json", b"{}")])
    assert loaded.starts == {}
    assert len(loaded.rejected) == len(FILES) - 1


@pytest.mark.parametrize(
    "databases",
    [
        {"Scenes": {"Dusk": [], "dusk": []}},
        {"HealthData": {"u": [{"pulse": 3}]}},
        {"Account": {"a\ud800": {"password": "", "token": ""}}},
        {"Bank": {"a": {"balance": "much"}}},
        {"Hotel": {"1": {"hotel_name": "x", "check_in_time": "", "check_out_time": "",
                         "room_count": 2**70, "adult_count": 1, "child_count": 1}}},
    ],
)  # fmt: skip
def test_start_with_inconsistent_rows_is_refused(databases: dict[str, object]) -> None:
    with pytest.raises(RunError, match="not an initial state of api-bank") as error:
        world(json.dumps(databases))
    assert "\n" not in str(error.value)


def test_damaged_copy_is_loaded_or_refused() -> None:
    """A copy with one damaged file gives a world or a refusal of one line."""
    rng = Random(16)
    originals = {name: json.dumps(content).encode() for name, content in FILES.items()}
    worlds = refused = 0
    for _ in range(DAMAGED_COPIES):
        name = rng.choice([*originals, "one.jsonl"])
        data = _damage_file(rng, originals.get(name, DIALOGUE))
        changed = {name: data} if name in originals else {}
        objects = copy_of({"one.jsonl": DIALOGUE if changed else data}, changed)
        try:
            loaded = load(objects)
            copy_world = world(loaded.starts[START])
            total = [dialogue_replay.calls for dialogue_replay in replay(objects)]
        except BenchloomError as error:
            assert "\n" not in str(error)
            refused += 1
        else:
            worlds += 1
            assert len(copy_world.tools) == 52
            assert sum(total) <= 2
    assert worlds > DAMAGED_COPIES // 2
    assert worlds + refused == DAMAGED_COPIES


def _damage_file(rng: Random, data: bytes) -> bytes:
    """Return the bytes of a file after random damage."""
    if rng.random() < 0.6 and not data.startswith(b'{"role"'):
        tree = mutate_tree(rng, json.loads(data), property_list=False)
        return json.dumps(tree).encode()
    return mutate_bytes(rng, [data], (b"null", b"{}", b"[]", b"1e999", b"\\ud800", b'"', b"\xff"))
