"""What was decoded is known by its bytes, as long as there is room."""

from benchloom.storage.sealing import Decoded


def test_it_is_known_by_its_bytes_alone() -> None:
    known: Decoded[int] = Decoded(100)
    known.add(b"one", 1)
    assert known.find(b"one") == 1
    assert known.find(b"One") is None
    known.add(b"one", 7)
    assert known.find(b"one") == 1


def test_what_came_first_goes_first() -> None:
    known: Decoded[int] = Decoded(10)
    for number in range(4):
        known.add(bytes([number]) * 4, number)
    assert known.values() == [2, 3]
    known.add(b"a" * 11, 4)
    assert known.values() == []
    known.add(b"b" * 10, 5)
    assert known.values() == [5]
