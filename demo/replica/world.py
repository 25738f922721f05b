"""The entries that imitated sites list, which tests can change between two crawls."""

from dataclasses import dataclass, field

from demo.replica.posted import Posted


@dataclass
class World:
    """The entries of every imitated site, and the changes that tests made.

    `entries` and `added` map sites to entries. `removed` contains pairs of a site and the number of
    a removed entry. `edited` maps pairs of this kind to the new version of the entry.
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
        """Return the entry with this number on a site, or None if the site does not list it."""
        return next((entry for entry in self.posted(site) if entry.number == number), None)

    def expected(self, site: str) -> list[Posted]:
        """Return the entries that a crawl must find, which are all that everybody can see."""
        return [entry for entry in self.posted(site) if not entry.member_only]
