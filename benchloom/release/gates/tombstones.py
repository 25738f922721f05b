"""A release gate: no row may refer to a withheld object, such as a shortcut that was taken down.

Withheld objects are listed in the table `rejected`, mostly only by their digests.
"""

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from benchloom.normalise.opt_outs.files import WITHHELD_REASONS, icloud_digest
from benchloom.release.gates.view import GateView


def findings(release: GateView) -> Iterator[str]:
    """Yield one line per row that refers to a withheld object."""
    withheld: dict[object, object] = {}
    hidden: set[object] = set()
    columns = ["reason", "digest", "source_uri"]
    for reason, digest, source_uri in release.rows("rejected", columns, _is_withheld):
        if digest is None:
            hidden.add(source_uri)
        else:
            withheld[digest] = reason
    if not withheld and not hidden:
        return
    for table, column in (("listings", "listing_id"), ("shortcuts", "source_digest")):
        for value in sorted(map(str, release.values(table, column) & withheld.keys())):
            yield f"{table}: {value} is withheld: {withheld[value]}"
    for table in ("icloud_records", "listings"):
        yield from _links(table, release.values(table, "icloud_id"), withheld)
    linked = {i for (ids,) in release.rows("shortcuts", ["icloud_ids"]) for i in _texts(ids)}
    yield from _links("shortcuts", linked, withheld)
    for value in sorted(map(str, release.values("captures", "capture_id") & hidden)):
        yield f"captures: {value} is withheld"


def _is_withheld(rejected: pa.RecordBatch) -> pa.Array:
    return pc.is_in(rejected.column("reason"), pa.array(sorted(WITHHELD_REASONS)))


def _links(table: str, ids: set[object], withheld: dict[object, object]) -> Iterator[str]:
    for digest in sorted(icloud_digest(str(value)) for value in ids):
        if digest in withheld:
            yield f"{table}: a row refers to {digest}, which is withheld: {withheld[digest]}"


def _texts(value: object) -> list[object]:
    return value if isinstance(value, list) else []
