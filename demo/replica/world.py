"""Entries that the sites of the demo world list now, and entries that a crawl must find."""

from dataclasses import dataclass, field

from demo.replica.posted import Posted


@dataclass
class World:
    """The entries of every site, and the changes to them since.

    `removed` holds (site, number) of removed entries, `edited` the new versions of entries.
    """

    entries: dict[str, list[Posted]]
    removed: set[tuple[str, int]] = field(default_factory=set)
    added: dict[str, list[Posted]] = field(default_factory=dict)
    edited: dict[tuple[str, int], Posted] = field(default_factory=dict)

    def posted(self, site: str) -> list[Posted]:
        """Return the entries that a site lists now, newest first."""
        now = [*self.added.get(site, []), *self.entries[site]]
        return [
            self.edited.get((site, entry.number), entry)
            for entry in now
            if (site, entry.number) not in self.removed
        ]

    def find(self, site: str, number: int) -> Posted | None:
        """Return an entry of a site."""
        return next((entry for entry in self.posted(site) if entry.number == number), None)

    def expected(self, site: str) -> list[Posted]:
        """Return the entries that a polite crawl must find: all entries that everybody can see."""
        return [entry for entry in self.posted(site) if not entry.member_only]
