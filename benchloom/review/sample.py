"""Choose which texts people read, and in which order."""

from collections.abc import Iterable

from benchloom.core.identity import digest_of_parts


def sample_of(queries: Iterable[str], count: int, seed: int = 0) -> list[str]:
    """Draw `count` ids by ids and seed alone, in reading order; more begin with the same ids."""
    return sorted(
        set(queries), key=lambda query_id: digest_of_parts("review", [str(seed), query_id])
    )[:count]
