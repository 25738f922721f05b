"""Places: the longest unused one goes for a new client, none that is in use."""

from benchloom.worlds.serving.slots import GRACE, Slots


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_longest_unused_goes_for_a_new_one() -> None:
    clock = Clock()
    slots: Slots[int] = Slots(most=2, idle=1800, clock=clock)
    for number, name in enumerate("ab"):
        assert slots.make_room() == []
        slots.add(name, number)
    assert slots.make_room() is None
    clock.now = GRACE - 1
    assert slots.find("a") == 0
    clock.now = GRACE
    assert slots.make_room() == ["b"]
    assert slots.remove("b") == 1
    assert slots.make_room() == []
    assert slots.find("b") is None
    clock.now = 1800 + GRACE
    assert slots.expired() == ["a"]
    assert list(slots) == ["a"]


def test_all_that_was_left_alone_goes_at_the_end_of_its_time() -> None:
    clock = Clock()
    slots: Slots[int] = Slots(most=3, idle=10, clock=clock)
    for number in range(3):
        slots.add(str(number), number)
    clock.now = 10
    assert slots.make_room() == ["0", "1", "2"]
