"""The collector waits where it is told to, and works afterwards as before."""

import gc
from collections.abc import Iterator

import pytest

from flows.run.processes.lean import fewer_collections, no_collections


@pytest.fixture
def collector() -> Iterator[None]:
    was, frozen, threshold = gc.isenabled(), gc.get_freeze_count(), gc.get_threshold()
    gc.enable()
    gc.set_threshold(700, *threshold[1:])
    yield
    gc.set_threshold(*threshold)
    if not frozen:
        gc.unfreeze()
    if not was:
        gc.disable()


@pytest.mark.usefixtures("collector")
def test_the_collector_rests_until_all_is_imported_and_leaves_it_alone_then() -> None:
    with no_collections() as imported:
        assert not gc.isenabled()
        before = gc.get_freeze_count()
        live_lists = [[] for _ in range(1000)]  # type: list[list[int]]
        imported()
        assert gc.isenabled()
        assert gc.get_freeze_count() - before >= len(live_lists)


@pytest.mark.usefixtures("collector")
def test_the_collector_works_again_after_a_fault() -> None:
    with pytest.raises(RuntimeError), no_collections():
        raise RuntimeError
    assert gc.isenabled()


@pytest.mark.usefixtures("collector")
def test_nothing_is_left_alone_that_nobody_said_would_stay() -> None:
    before = gc.get_freeze_count()
    with no_collections():
        assert not gc.isenabled()
    assert gc.isenabled()
    # Another thread may let go of some that were frozen before; freezing would add all there are.
    assert gc.get_freeze_count() <= before


@pytest.mark.usefixtures("collector")
def test_a_collector_that_rests_goes_on_resting_behind_an_inner_block() -> None:
    with no_collections():
        with no_collections():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


@pytest.mark.usefixtures("collector")
def test_fewer_collections_end_with_the_block() -> None:
    before = gc.get_threshold()
    with pytest.raises(RuntimeError), fewer_collections():
        assert gc.get_threshold()[0] > 10 * before[0]
        assert gc.get_threshold()[1:] == before[1:]
        raise RuntimeError
    assert gc.get_threshold() == before
