"""Changes of the demo world between two crawls.

`CHANGES` lists the changes, and `apply_changes` makes them in a world. Changes of files,
definitions and opt-outs are not changes of sites; tests of rebuilds make them.
"""

from typing import Literal

import msgspec

from demo.replica.posted import Posted
from demo.replica.shared import Shared, shared_shortcuts
from demo.replica.words import sentence, title
from demo.replica.world import World

Kind = Literal["new_shortcut", "new_listing", "last_listing_gone", "listing_gone", "edited"]


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A change of an entry at a site.

    `new_shortcut` lists a link that no open listing had before, and `last_listing_gone` removes the
    only listing of a link. `fields` are the edited fields, and `of_shortcut` is true if the row of
    the shortcut repeats them.
    """

    kind: Kind
    site: str
    number: int
    shared: int
    fields: dict[str, object] = {}
    of_shortcut: bool = False

    @property
    def icloud_id(self) -> str:
        """Return the id of the link of the entry before the change."""
        return _shared(self.shared).icloud_id


CHANGES = (
    Change(kind="new_shortcut", site="rcuts", number=200, shared=83),
    Change(kind="new_shortcut", site="ispazio", number=700, shared=19),
    Change(kind="new_shortcut", site="shareshortcuts", number=2500, shared=79),
    Change(kind="new_listing", site="routinehub", number=970, shared=20),
    Change(kind="last_listing_gone", site="matthewcassinelli", number=29_922, shared=78),
    Change(kind="last_listing_gone", site="matthewcassinelli", number=29_920, shared=80),
    Change(kind="last_listing_gone", site="matthewcassinelli", number=29_919, shared=81),
    Change(kind="listing_gone", site="routinehub", number=890, shared=110),
    Change(kind="listing_gone", site="reddit", number=8965, shared=130),
    Change(kind="edited", site="routinehub", number=885, shared=115, fields={"downloads": 123_456}),
    Change(
        kind="edited", site="shareshortcuts", number=2400, shared=150, fields={"favorites": 777}
    ),
    Change(
        kind="edited",
        site="matthewcassinelli",
        number=29_918,
        shared=82,
        fields={"description": "Reminds you of the kettle before it is too late."},
        of_shortcut=True,
    ),
    Change(
        kind="edited",
        site="shareshortcuts",
        number=2390,
        shared=160,
        fields={
            "link": f"https://www.icloud.com/shortcuts/{shared_shortcuts()[180].icloud_id}",
            "icloud_id": shared_shortcuts()[180].icloud_id,
        },
    ),
)


def apply_changes(world: World, changes: tuple[Change, ...] = CHANGES) -> None:
    """Apply the changes to the world, whose sites then show them."""
    for change in changes:
        entry_key = (change.site, change.number)
        if change.kind in {"new_shortcut", "new_listing"}:
            world.added.setdefault(change.site, []).insert(0, _entry(world, change))
        elif change.kind == "edited":
            entry = world.find(*entry_key)
            if entry is None:
                raise LookupError(f"{change.site} has no entry {change.number}")
            world.edited[entry_key] = msgspec.structs.replace(entry, **change.fields)
        else:
            world.removed.add(entry_key)


def _entry(world: World, change: Change) -> Posted:
    """Return a new entry with the fields that its site shows."""
    shared_shortcut = _shared(change.shared)
    sample_entry = world.posted(change.site)[0]
    return msgspec.structs.replace(
        sample_entry,
        number=change.number,
        name=title(shared_shortcut.number, "en"),
        description=sentence(shared_shortcut.number, "en"),
        link=f"https://www.icloud.com/shortcuts/{shared_shortcut.icloud_id}",
        icloud_id=shared_shortcut.icloud_id,
    )


def _shared(number: int) -> Shared:
    return shared_shortcuts()[number]
