"""How often a sample is taken: few in `make test`, the full number in `make soak`."""

import os

SOAK = bool(os.environ.get("SOAK_TESTS"))


def samples(few: int, many: int) -> int:
    """`few`, or `many` where time is not an object: repeated samples of one kind of fault."""
    return many if SOAK else few
