"""Check that calls of the real archive give the recorded results when they are replayed."""

import json
import zipfile
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from benchloom.core.records import ServiceResult
from benchloom.storage.tables import iter_records
from benchloom.worlds.replay import replay_suite, total_of
from benchloom.worlds.suite import Replay
from tests.support.shared_data import shared_file
from tests.support.stages import real_dialogues

pytestmark = pytest.mark.real_data
Json = dict[str, Any]


@pytest.fixture(scope="module")
def converted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return real_dialogues(tmp_path_factory)


@pytest.fixture(scope="module")
def replays(converted: Path) -> list[Replay]:
    return list(replay_suite("sgd", [converted]))


@pytest.fixture(scope="module")
def transactions() -> set[str]:
    """Return `service.method` of every transactional intent, read by the standard library."""
    tool_names = set()
    with zipfile.ZipFile(shared_file("sgd.zip")) as archive:
        for name in archive.namelist():
            if name.endswith("/schema.json"):
                for service in json.loads(archive.read(name)):
                    for intent in service["intents"]:
                        if intent["is_transactional"]:
                            tool_names.add(f"{service['service_name']}.{intent['name']}")
    return tool_names


def test_number_of_equal_replays_is_unchanged(replays: list[Replay]) -> None:
    total = total_of(replays)
    assert (total.dialogues, total.calls, total.excluded) == (3763, 9704, 0)
    assert (total.dialogues_equal, total.calls_equal) == (3533, 9460)
    assert total.dialogues_equal / total.dialogues > 0.93
    assert total.reasons == {
        "answer_changed": 40,
        "full_result": 11,
        "more_rows": 154,
        "other_order": 36,
        "other_rows": 3,
    }


def test_replayed_transactions_and_balances_equal_the_recorded_ones(
    replays: list[Replay], converted: Path, transactions: set[str]
) -> None:
    calls: dict[str, int] = defaultdict(int)
    for row in iter_records(converted, "service_results", ServiceResult):
        tool = f"{row.service}.{row.method}"
        assert (row.outcome == "failed") <= (tool in transactions)
        calls[row.outcome if tool in transactions else "query"] += 1
        calls["balance"] += row.method == "CheckBalance"
    assert calls == {"ok": 3472, "failed": 454, "query": 5778, "balance": 69}
    differing_tools = {difference.tool for replay in replays for difference in replay.differences}
    assert differing_tools
    assert differing_tools.isdisjoint(transactions)
    assert not any(tool.endswith("CheckBalance") for tool in differing_tools)


def test_differences_have_the_stated_reason(replays: list[Replay]) -> None:
    """Compare the rows directly, for the reasons that a single call shows."""
    for replay in replays:
        for difference in replay.differences:
            recorded, replayed_result = (
                json.loads(difference.recorded),
                json.loads(difference.found),
            )
            replayed_rows = list(map(json.dumps, replayed_result["result"]))
            recorded_rows = list(map(json.dumps, recorded["rows"]))
            assert replayed_rows != recorded_rows
            if difference.reason == "other_order":
                assert sorted(replayed_rows) == sorted(recorded_rows)
            elif difference.reason == "more_rows":
                assert set(recorded_rows) < set(replayed_rows)
            elif difference.reason == "full_result":
                assert len(recorded_rows) == len(replayed_rows) == 10
