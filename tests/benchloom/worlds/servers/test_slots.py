"""Check that idle values make room for new values and that values in use stay."""

from benchloom.worlds.servers.slots import Slots
from tests.support.clock import Clock


def filled_slots(most: int, *, idle: float = 1800, clock: Clock | None = None) -> Slots[int]:
    """Return slots that are filled with numbers."""
    slots: Slots[int] = Slots(most=most, idle=idle, clock=clock or Clock())
    for number in range(most):
        assert slots.make_room() == []
        slots.add(str(number), number)
    return slots


def test_longest_idle_value_makes_room_first() -> None:
    slots = filled_slots(2)
    assert slots.make_room() == ["0"]
    assert slots.find("0") == 0
    assert slots.make_room() == ["1"]
    assert slots.remove("1") == 1
    assert slots.make_room() == []
    assert slots.find("1") is None


def test_value_in_use_keeps_its_slot() -> None:
    clock = Clock()
    slots = filled_slots(2, idle=10, clock=clock)
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


def test_value_removed_while_in_use_frees_its_slot() -> None:
    slots = filled_slots(1)
    with slots.in_use("0"), slots.in_use("unknown"):
        assert slots.remove("0") == 0
        assert slots.make_room() == []
    slots.add("0", 5)
    assert slots.make_room() == ["0"]


def test_values_beyond_the_limit_make_room() -> None:
    slots = filled_slots(2)
    slots.add("2", 2)  # two clients that opened at the same time
    assert slots.make_room(0) == ["0"]
    assert slots.make_room() == ["0", "1"]
    with slots.in_use("0"), slots.in_use("1"):
        assert slots.make_room() is None


def test_all_expired_values_make_room() -> None:
    clock = Clock()
    slots = filled_slots(3, idle=10, clock=clock)
    clock.now = 10
    assert slots.make_room() == ["0", "1", "2"]
