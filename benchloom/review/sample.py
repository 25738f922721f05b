"""Choose which texts people read, and in which order."""

from collections.abc import Iterable

from benchloom.core.identity import digest_of_parts


def sample_of(queries: Iterable[str], count: int, seed: int = 0) -> list[str]:
    """Draw `count` ids pseudo-randomly, by the ids and the seed alone, in reading order.

    The sample is the same for every reader and every run, and a larger sample begins with the
    smaller sample.
    """
    return sorted(
        set(queries), key=lambda query_id: digest_of_parts("review", [str(seed), query_id])
    )[:count]
