"""Tests of the cache of decoded objects: it finds them by their bytes, and its size is bounded."""

from benchloom.storage.seals import Decoded


def test_object_is_found_by_its_bytes() -> None:
    cache: Decoded[int] = Decoded(100)
    cache.add(b"one", 1)
    assert cache.find(b"one") == 1
    assert cache.find(b"One") is None
    cache.add(b"one", 7)
    assert cache.find(b"one") == 1


def test_oldest_objects_are_removed_first() -> None:
    cache: Decoded[int] = Decoded(10)
    for number in range(4):
        cache.add(bytes([number]) * 4, number)
    assert cache.values() == [2, 3]
    cache.add(b"a" * 11, 4)
    assert cache.values() == []
    cache.add(b"b" * 10, 5)
    assert cache.values() == [5]
