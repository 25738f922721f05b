"""Calls judged by what they do in a running world, over databases and dialogues of our own."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchloom.core.errors import RunError
from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmark import Benchmark
from benchloom.evaluate.benchmarks.api_bank import BENCHMARK
from benchloom.evaluate.benchmarks.api_bank.gold import GoldSample
from benchloom.evaluate.protocol import CALL
from benchloom.worlds.suites.api_bank.replay import EXCLUDED
from benchloom.worlds.world_files import load_suite, starts_folder
from tests.benchloom.evaluate.api_bank.talks import asked, call
from tests.benchloom.worlds.suites.api_bank.sample import FILES, TOKEN
from tests.support.shared_data import shared_file

MEETING = {
    "token": TOKEN,
    "meeting_topic": "Cider",
    "start_time": "2023-04-06 10:00:00",
    "end_time": "2023-04-06 11:00:00",
    "location": "barn",
    "attendees": "['Dev', 'Esi']",
}
BOOKED = {
    "hotel_name": "Mill",
    "check_in_time": "2023-04-08",
    "check_out_time": "2023-04-09",
    "room_count": "1",
    "adult_count": "2",
    "child_count": "0",
}
LINES = (
    call("AddMeeting", MEETING, "success"),
    call("QueryMeeting", {"token": TOKEN, "meeting_topic": "Cider"}, "untold"),
    call("Calculator", {"formula": "5 * (2 + 3)"}, "25"),
    call("BookHotel", BOOKED, "11113333"),
    call("QueryBalance", {"token": TOKEN}, 12.5),
    call("QueryStock", {"stock_code": "FIG", "date": "2023-03-01"}, None, exception="none"),
    call("DeleteMeeting", {**MEETING, "token": TOKEN}, "success"),
)
LEFT_OUT = "left out"
MEET, QUERY, SUM, BOOK, BALANCE, STOCK, DELETE = range(len(LINES))


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's copy of the databases."""
    folder = tmp_path_factory.mktemp("copy") / "init_database"
    folder.mkdir()
    for name, content in FILES.items():
        (folder / name).write_text(json.dumps(content))
    return folder.parent


@pytest.fixture(scope="module")
def judge(copy: Path) -> Iterator[Benchmark]:
    with BENCHMARK.with_tools(copy) as benchmark:
        yield benchmark


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> list[GoldSample]:
    return asked(tmp_path_factory.mktemp("talk"), *LINES)


def outcome(judge: Benchmark, sample: GoldSample, **changed: Plain) -> str:
    """The outcome of a recorded call with other arguments; `LEFT_OUT` is not given."""
    arguments = {
        name: value for name, value in {**sample.arguments, **changed}.items() if value != LEFT_OUT
    }
    return judge.judge(sample, {"api_name": sample.name, "param_dict": arguments}, "right").outcome


def test_what_was_recorded_is_right(judge: Benchmark, samples: list[GoldSample]) -> None:
    assert {outcome(judge, sample) for sample in reversed(samples)} == {"right"}


@pytest.mark.parametrize(
    ("place", "changed"),
    [
        (MEET, {"attendees": ["Esi", "Dev"]}),
        (SUM, {"formula": "5*(2+3)"}),
        (SUM, {"formula": "25.0"}),
        (BOOK, {"room_count": 1.0}),
    ],
)
def test_what_does_the_same_is_right(
    judge: Benchmark, samples: list[GoldSample], place: int, changed: dict[str, Plain]
) -> None:
    assert outcome(judge, samples[place], **changed) == "right"


@pytest.mark.parametrize(
    ("place", "changed", "expected"),
    [
        (MEET, {"attendees": ["Dev"]}, "wrong_value"),
        (MEET, {"location": "shed"}, "wrong_value"),
        (MEET, {"token": "t0k3n-bo"}, "wrong_value"),
        (MEET, {"token": "nobody"}, "exception"),
        (MEET, {"meeting_topic": LEFT_OUT}, "missing_argument"),
        (MEET, {"chair": "Dev"}, "unknown_parameter"),
        (QUERY, {"meeting_topic": "Harvest"}, "wrong_value"),
        (QUERY, {"meeting_topic": "Perry"}, "exception"),
        (SUM, {"formula": "5 * 2 + 3"}, "wrong_value"),
        (BOOK, {"room_count": 2}, "wrong_value"),
        (BALANCE, {"token": "t0k3n-bo"}, "exception"),
        # Both are refused, which shows nothing.
        (STOCK, {"stock_code": "OAK"}, "wrong_value"),
        # The world finds the meeting by its topic: whatever else is said decides nothing there.
        (DELETE, {"location": "shed"}, "wrong_value"),
        (DELETE, {"start_time": "2023-04-07 10:00:00"}, "wrong_value"),
    ],
)
def test_what_does_something_else_is_wrong(
    judge: Benchmark,
    samples: list[GoldSample],
    place: int,
    changed: dict[str, Plain],
    expected: str,
) -> None:
    assert outcome(judge, samples[place], **changed) == expected


def test_without_a_world_only_what_a_call_says_counts(samples: list[GoldSample]) -> None:
    assert outcome(BENCHMARK, samples[SUM], formula="5*(2+3)") == "wrong_value"


def test_a_start_that_was_loaded_serves_as_well(
    copy: Path, samples: list[GoldSample], tmp_path: Path
) -> None:
    load_suite("api-bank", [copy], tmp_path)
    with BENCHMARK.with_tools(starts_folder(tmp_path, "api-bank")) as judge:
        assert outcome(judge, samples[MEET], attendees=["Esi", "Dev"]) == "right"


def test_a_place_without_databases_says_so(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "nowhere"):
        with (
            pytest.raises(RunError, match=r"nothing|no such|no database"),
            BENCHMARK.with_tools(folder),
        ):
            pass


@pytest.mark.real_data
def test_every_changed_argument_of_the_real_copy_is_a_miss() -> None:
    gold = shared_file("api_bank.zip")
    calls = changed = missed = 0
    with BENCHMARK.with_tools(gold) as judge:
        for sample in judge.read_gold(gold):
            if not isinstance(sample, GoldSample) or sample.aspect != CALL:
                continue
            assert outcome(judge, sample) == "right"
            calls += sample.name not in EXCLUDED
            for name, value in sample.arguments.items():
                changed += 1
                missed += outcome(judge, sample, **{name: f"{value}7"}) != "right"
    assert calls == 220
    assert missed == changed > 500
