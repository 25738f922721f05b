"""Publish parsed shortcuts as rows: duplicates, clusters, splits, languages, validity."""

import msgspec


class Key(msgspec.Struct, frozen=True, gc=False):
    """The fields of a parsed row that decide whether it is published, and the row's location."""

    shortcut_id: str
    canonical_digest: str
    source_digest: str
    source_uri: str
    empty: bool
    named: bool
    part: int
    row: int

    @property
    def rank(self) -> tuple[bool, str, str]:
        """Return the sort key; among equal shortcuts the smallest (a named file) is published."""
        return (not self.named, self.source_uri, self.source_digest)
