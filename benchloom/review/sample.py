"""Which texts are read, and in which order."""

from collections.abc import Iterable

from benchloom.core.identity import digest_of_parts


def sample_of(queries: Iterable[str], count: int, seed: int = 0) -> list[str]:
    """`count` ids drawn without looking at anything else, in the order they are read in.

    The same for everybody who reads, and for every run; a larger sample begins with a smaller one.
    """
    return sorted(
        set(queries), key=lambda query_id: digest_of_parts("review", [str(seed), query_id])
    )[:count]
