"""Gate: every rejected row has a message."""

from collections.abc import Iterator

from benchloom.release.gates import GateView


def findings(release: GateView) -> Iterator[str]:
    """Yield one line per row without a message."""
    for uri, message in release.rows("rejected", ["source_uri", "message"]):
        if not str(message).strip():
            yield f"rejected: {uri}: no message"
