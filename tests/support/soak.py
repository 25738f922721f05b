"""Choose the number of random samples: few in `make test`, many in `make soak`."""

import os

SOAK = bool(os.environ.get("SOAK_TESTS"))


def samples(few: int, many: int) -> int:
    """Return `few`, or `many` in `make soak`."""
    return many if SOAK else few
