"""The key of a parsed shortcut: what decides about a row, without the row."""

import msgspec


class Key(msgspec.Struct, frozen=True, gc=False):
    """What decides about one parsed row, and where the row lies."""

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
        """Lower is kept: a named file first, then by place, so the choice is always the same."""
        return (not self.named, self.source_uri, self.source_digest)
