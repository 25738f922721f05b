"""Check that several threads can convert data into a new struct class at the same time."""

from tests.support.python import python

RACE = """
import sys, threading
import msgspec
from benchloom.core.structs import settle_structs

sys.setswitchinterval(1e-6)
INNER = {f"field{number}": "int | None" for number in range(60)}
ROW = {"inner": dict.fromkeys(INNER, 1), "last": 2}


class Unknown(msgspec.Struct):
    field: "NotThere"


class Ambiguous(msgspec.Struct):
    field: "Unknown | tuple[Unknown] | list[Unknown]"


def convert(outer, barrier):
    barrier.wait()
    assert msgspec.convert(ROW, outer).last == 2


for _ in range(200):
    inner = type("Inner", (msgspec.Struct,), {"__annotations__": INNER, "__module__": __name__})
    fields = {"inner": inner, "last": int}
    outer = type("Outer", (msgspec.Struct,), {"__annotations__": fields, "__module__": __name__})
    settle_structs()
    barrier = threading.Barrier(4)
    threads = [threading.Thread(target=convert, args=(outer, barrier)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""


def test_threads_convert_into_settled_structs() -> None:
    python("-c", RACE)  # without settle_structs, the process always crashed with -11
