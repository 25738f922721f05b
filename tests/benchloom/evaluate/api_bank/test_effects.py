"""Tests of API-Bank calls judged by their effects in a running world over small databases."""

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
from tests.benchloom.evaluate.api_bank.talks import call, dialogue_samples
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
def database_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a copy of the databases."""
    folder = tmp_path_factory.mktemp("copy") / "init_database"
    folder.mkdir()
    for name, content in FILES.items():
        (folder / name).write_text(json.dumps(content))
    return folder.parent


@pytest.fixture(scope="module")
def benchmark_in_world(database_folder: Path) -> Iterator[Benchmark]:
    with BENCHMARK.with_tools(database_folder) as benchmark:
        yield benchmark


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> list[GoldSample]:
    return dialogue_samples(tmp_path_factory.mktemp("talk"), *LINES)


def outcome(benchmark_in_world: Benchmark, sample: GoldSample, **changed_arguments: Plain) -> str:
    """Return the outcome of a recorded call with changed arguments; `LEFT_OUT` drops one."""
    arguments = {
        name: value
        for name, value in {**sample.arguments, **changed_arguments}.items()
        if value != LEFT_OUT
    }
    return benchmark_in_world.judge(
        sample, {"api_name": sample.name, "param_dict": arguments}, "right"
    ).outcome


def test_recorded_calls_are_right(benchmark_in_world: Benchmark, samples: list[GoldSample]) -> None:
    assert {outcome(benchmark_in_world, sample) for sample in reversed(samples)} == {"right"}


@pytest.mark.parametrize(
    ("index", "changed_arguments"),
    [
        (MEET, {"attendees": ["Esi", "Dev"]}),
        (SUM, {"formula": "5*(2+3)"}),
        (SUM, {"formula": "25.0"}),
        (BOOK, {"room_count": 1.0}),
    ],
)
def test_call_with_the_same_effect_is_right(
    benchmark_in_world: Benchmark,
    samples: list[GoldSample],
    index: int,
    changed_arguments: dict[str, Plain],
) -> None:
    assert outcome(benchmark_in_world, samples[index], **changed_arguments) == "right"


@pytest.mark.parametrize(
    ("index", "changed_arguments", "expected"),
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
        # Both calls are refused, so they cannot be told apart by their effects.
        (STOCK, {"stock_code": "OAK"}, "wrong_value"),
        # The world finds the meeting by its topic and ignores the other arguments.
        (DELETE, {"location": "shed"}, "wrong_value"),
        (DELETE, {"start_time": "2023-04-07 10:00:00"}, "wrong_value"),
    ],
)
def test_call_with_another_effect_is_wrong(
    benchmark_in_world: Benchmark,
    samples: list[GoldSample],
    index: int,
    changed_arguments: dict[str, Plain],
    expected: str,
) -> None:
    assert outcome(benchmark_in_world, samples[index], **changed_arguments) == expected


def test_arguments_are_compared_as_values_without_a_world(samples: list[GoldSample]) -> None:
    assert outcome(BENCHMARK, samples[SUM], formula="5*(2+3)") == "wrong_value"


def test_loaded_starts_folder_serves_as_databases(
    database_folder: Path, samples: list[GoldSample], tmp_path: Path
) -> None:
    load_suite("api-bank", [database_folder], tmp_path)
    with BENCHMARK.with_tools(starts_folder(tmp_path, "api-bank")) as benchmark_in_world:
        assert outcome(benchmark_in_world, samples[MEET], attendees=["Esi", "Dev"]) == "right"


def test_folder_without_databases_is_refused(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "nowhere"):
        with (
            pytest.raises(RunError, match=r"nothing|no such|no database"),
            BENCHMARK.with_tools(folder),
        ):
            pass


@pytest.mark.real_data
def test_every_changed_argument_of_published_calls_is_wrong() -> None:
    gold = shared_file("api_bank.zip")
    calls = changes = missed = 0
    with BENCHMARK.with_tools(gold) as benchmark_in_world:
        for sample in benchmark_in_world.read_gold(gold):
            if not isinstance(sample, GoldSample) or sample.aspect != CALL:
                continue
            assert outcome(benchmark_in_world, sample) == "right"
            calls += sample.name not in EXCLUDED
            for name, value in sample.arguments.items():
                changes += 1
                missed += outcome(benchmark_in_world, sample, **{name: f"{value}7"}) != "right"
    assert calls == 220
    assert missed == changes > 500
