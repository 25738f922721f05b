"""Convert parsed shortcuts to published rows.

The modules remove duplicates, find clusters of near duplicates, assign splits, detect languages and
check validity.
"""

import msgspec


class Key(msgspec.Struct, frozen=True, gc=False):
    """The fields of a parsed row that decide whether the row is published, and where the row is.

    `part` and `row` are the number of the row's file, and the row's number in the file.
    """

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
        """The key by which equal shortcuts are sorted.

        The first one is published. Shortcuts with a name are sorted before shortcuts without a
        name.
        """
        return (not self.named, self.source_uri, self.source_digest)
