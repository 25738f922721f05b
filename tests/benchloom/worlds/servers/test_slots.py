"""Places for clients: the longest idle value goes at once, a value in use stays."""

from benchloom.worlds.servers.slots import Slots
from tests.support.clock import Clock


def filled(most: int, *, idle: float = 1800, clock: Clock | None = None) -> Slots[int]:
    slots: Slots[int] = Slots(most=most, idle=idle, clock=clock or Clock())
    for number in range(most):
        assert slots.make_room() == []
        slots.add(str(number), number)
    return slots


def test_the_longest_idle_gives_way_at_once() -> None:
    slots = filled(2)
    assert slots.make_room() == ["0"]
    assert slots.find("0") == 0
    assert slots.make_room() == ["1"]
    assert slots.remove("1") == 1
    assert slots.make_room() == []
    assert slots.find("1") is None


def test_a_value_with_a_request_in_flight_stays() -> None:
    clock = Clock()
    slots = filled(2, idle=10, clock=clock)
    with slots.in_use("0"):
        assert slots.make_room() == ["1"]
        with slots.in_use("1"):
            assert slots.make_room() is None
            with slots.in_use("1"):
                pass
            assert slots.make_room() is None  # another request is still in flight
        clock.now = 10
        assert slots.make_room() == ["1"]
        assert slots.expired() == ["1"]
    assert slots.expired() == ["1"]
    assert slots.remove("1") == 1
    clock.now = 19
    assert slots.expired() == []  # idle since the end of its last request
    clock.now = 20
    assert slots.expired() == ["0"]


def test_a_value_that_is_removed_while_in_use_leaves_nothing_behind() -> None:
    slots = filled(1)
    with slots.in_use("0"), slots.in_use("unknown"):
        assert slots.remove("0") == 0
        assert slots.make_room() == []
    slots.add("0", 5)
    assert slots.make_room() == ["0"]


def test_values_beyond_the_limit_go_too() -> None:
    slots = filled(2)
    slots.add("2", 2)  # two clients that opened at the same time
    assert slots.make_room(0) == ["0"]
    assert slots.make_room() == ["0", "1"]
    with slots.in_use("0"), slots.in_use("1"):
        assert slots.make_room() is None


def test_everything_that_was_idle_for_too_long_goes() -> None:
    clock = Clock()
    slots = filled(3, idle=10, clock=clock)
    clock.now = 10
    assert slots.make_room() == ["0", "1", "2"]
