"""Check that the garbage collector pauses within a block and works as before after it."""

import gc
from collections.abc import Iterator

import pytest

from flows.run.processes.lean import fewer_collections, no_collections


@pytest.fixture
def collector() -> Iterator[None]:
    """Enable the collector with a low threshold, and restore its settings after the test."""
    was_enabled, frozen, threshold = gc.isenabled(), gc.get_freeze_count(), gc.get_threshold()
    gc.enable()
    gc.set_threshold(700, *threshold[1:])
    yield
    gc.set_threshold(*threshold)
    if not frozen:
        gc.unfreeze()
    if not was_enabled:
        gc.disable()


@pytest.mark.usefixtures("collector")
def test_collector_pauses_during_imports_and_freezes_their_objects() -> None:
    with no_collections() as imported:
        assert not gc.isenabled()
        before = gc.get_freeze_count()
        live_lists = [[] for _ in range(1000)]  # type: list[list[int]]
        imported()
        assert gc.isenabled()
        assert gc.get_freeze_count() - before >= len(live_lists)


@pytest.mark.usefixtures("collector")
def test_collector_works_again_after_an_exception() -> None:
    with pytest.raises(RuntimeError), no_collections():
        raise RuntimeError
    assert gc.isenabled()


@pytest.mark.usefixtures("collector")
def test_block_without_imports_freezes_no_objects() -> None:
    before = gc.get_freeze_count()
    with no_collections():
        assert not gc.isenabled()
    assert gc.isenabled()
    # Another thread may free objects that were frozen before; freezing would add all objects.
    assert gc.get_freeze_count() <= before


@pytest.mark.usefixtures("collector")
def test_collector_stays_paused_after_an_inner_block() -> None:
    with no_collections():
        with no_collections():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


@pytest.mark.usefixtures("collector")
def test_collection_threshold_is_restored_after_the_block() -> None:
    before = gc.get_threshold()
    with pytest.raises(RuntimeError), fewer_collections():
        assert gc.get_threshold()[0] > 10 * before[0]
        assert gc.get_threshold()[1:] == before[1:]
        raise RuntimeError
    assert gc.get_threshold() == before
