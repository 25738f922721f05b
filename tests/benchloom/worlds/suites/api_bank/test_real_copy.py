"""Check that the dialogues of the real copy replay and that each difference has a reason."""

import zipfile
from contextlib import ExitStack
from pathlib import Path

import pytest

from benchloom.storage.inputs import list_objects
from benchloom.worlds import Session
from benchloom.worlds.replay import replay_suite, total_of
from benchloom.worlds.suite import Replay
from benchloom.worlds.suites.api_bank.user_copy import START, load
from benchloom.worlds.suites.api_bank.world import world
from tests.support.shared_data import shared_file

pytestmark = pytest.mark.real_data


@pytest.fixture(scope="module")
def total() -> Replay:
    """Return the replay of all dialogues together."""
    return total_of(list(replay_suite("api-bank", [shared_file("api_bank.zip")])))


def test_most_recorded_dialogues_replay_equally(total: Replay) -> None:
    assert (total.dialogues, total.dialogues_equal) == (129, 124)
    assert (total.calls, total.calls_equal, total.excluded) == (220, 213, 26)
    assert total.calls_equal >= 0.95 * total.calls


def test_no_difference_is_an_error_of_our_tools(total: Replay) -> None:
    assert total.reasons == {
        "name_changed": 3,
        "needs_model": 20,
        "needs_network": 6,
        "recording_wrong": 4,
    }


def test_copy_loads_completely_into_a_small_state() -> None:
    with ExitStack() as stack:
        loaded = load(list_objects([shared_file("api_bank.zip")], stack))
    assert loaded.rejected == {}
    with Session(world(loaded.starts[START])) as session:
        assert len(session.snapshot()) < 512 * 1024


def test_dialogues_unseen_during_development_replay(tmp_path: Path) -> None:
    """The dialogues include a call that plays music and returns the address of the player."""
    for name in ("api_bank.zip", "peers.zip"):
        with zipfile.ZipFile(shared_file(name)) as archive:
            archive.extractall(tmp_path / name)
    paths = [tmp_path / "api_bank.zip", tmp_path / "peers.zip" / "api-bank"]
    replay_total = total_of(list(replay_suite("api-bank", paths)))
    assert (replay_total.calls, replay_total.calls_equal) == (390, 380)
    assert "ours_wrong" not in replay_total.reasons
