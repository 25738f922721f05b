"""What an entry tells, from rows of shortcuts and of listings."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from benchloom.built_in_actions import SYSTEM_APP
from benchloom.identity import digest_of_parts, hex_of
from benchloom.release.describing.pages import icloud_address, visible, web_address
from benchloom.release.describing.plans import shortened
from benchloom.release.describing.tables import ReleaseTables, TableFile
from benchloom.tables.digests import row_digests
from benchloom.words import UNTOLD

MOST_STEPS = 20
"""Steps of a shortcut that its entry shows: a page holds a hundred entries."""
_LONGEST_STEP = 120
_LONGEST_WORKFLOW = 6000
"""Letters that are read of a workflow for its first steps."""
_DEEPEST = 12
_LONGEST_TEXT = 600
_LONGEST_NAME = 200
_MOST_CATEGORIES = 20
_IDENT_DIGITS = 12
_COLUMNS = (
    "name", "description", "level", "icloud_ids", "redactions.count", "actions.app",
    "action_count", "workflow", "shortcut_id", "source_digest",
)  # fmt: skip
_LISTED_COLUMNS = (
    "listing_id", "site", "listing_url", "icloud_id", "name", "tagline", "description",
    "category", "categories", "author_credit", "member_only", "state",
)  # fmt: skip


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One shortcut of the catalogue as a page shows it; links are checked, texts are not.

    `ident` is what it is known by in an address. `length` counts all steps of the shortcut.
    """

    ident: str
    name: str
    text: str | None
    author: str | None
    icloud: str | None
    page: str | None
    apps: tuple[str, ...]
    level: int | None
    site: str
    categories: tuple[str, ...]
    length: int

    @property
    def sort(self) -> str:
        """What entries are ordered by."""
        return self.name.casefold()


class Made(msgspec.Struct, frozen=True, array_like=True):
    """What an entry tells of its shortcut, whoever lists it."""

    name: str | None
    level: int | None
    apps: tuple[str, ...]
    length: int


class ShownShortcut(msgspec.Struct, frozen=True):
    """A shortcut without redactions: the number of its row in the file, and what is told of it.

    `digest` is that of all that it is told from but for names of apps, `steps` are the depths and
    lines of its first steps, `icloud_ids` what listings know it by, `names` the names of its apps.
    `entry` is the one it has where nobody lists it.
    """

    row: int
    digest: bytes
    made: Made
    steps: tuple[tuple[int, str], ...]
    icloud_ids: tuple[str, ...]
    names: Mapping[str, str]
    entry: Entry | None


class KnownShortcut(msgspec.Struct, frozen=True):
    """A shortcut whose entry was made before, by the digest of its row."""

    row: int
    digest: bytes


def shown_shortcuts(
    file: TableFile, names: Mapping[str, str], is_known: Callable[[bytes], bool]
) -> Iterator[ShownShortcut | KnownShortcut]:
    """The shortcuts of a file that may be shown; `names` are those of apps for people.

    `is_known` says by a digest whether nothing has to be told of a row.
    """
    start = 0
    for batch in file.batches(_COLUMNS):
        hidden = pc.list_value_length(batch.column("redactions")).to_pylist()
        digests = row_digests(batch)
        shown = [at for at, redactions in enumerate(hidden) if not redactions]
        known = {at for at in shown if is_known(digests[at])}
        new = [at for at in shown if at not in known]
        told = _told(batch.take(pa.array(new, pa.int64())), names)
        for at in shown:
            if at in known:
                yield KnownShortcut(start + at, digests[at])
            else:
                yield ShownShortcut(start + at, digests[at], *next(told))
        start += batch.num_rows


_Told = tuple[Made, tuple[tuple[int, str], ...], tuple[str, ...], Mapping[str, str], Entry | None]


def _told(batch: pa.RecordBatch, names: Mapping[str, str]) -> Iterator[_Told]:
    """What is told of each shortcut of a batch."""
    kept = [name for name in _COLUMNS if "." not in name and name != "workflow"]
    apps = batch.column("actions")
    starts = pc.utf8_slice_codeunits(batch.column("workflow"), 0, _LONGEST_WORKFLOW)
    for position, row in enumerate(batch.select(kept).to_pylist()):
        # Nothing has to be installed for actions of the Shortcuts app itself.
        found = {action["app"] for action in apps[position].as_py()} - {SYSTEM_APP}
        named = {app: names.get(app, app) for app in sorted(found)}
        count = row["action_count"] or 0
        made = Made(row["name"], row["level"], tuple(sorted(set(named.values()))), count)
        yield (
            made,
            first_steps(starts[position].as_py() or "", count),
            tuple(one.lower() for one in row["icloud_ids"]),
            named,
            _unlisted(row, made) if row["name"] else None,
        )


def _unlisted(row: Mapping[str, Any], made: Made) -> Entry:
    """The entry of a named shortcut that nobody lists."""
    first = next((one for one in row["icloud_ids"] if icloud_address(one)), None)
    return Entry(
        # Empty shortcuts share their id.
        ident=_ident(row["shortcut_id"], row["source_digest"]),
        name=_start(row["name"], _LONGEST_NAME) or row["name"],
        text=_start(row["description"]),
        author=None,
        icloud=icloud_address(first),
        page=None,
        apps=made.apps,
        level=made.level,
        site=UNTOLD,
        categories=(UNTOLD,),
        length=made.length,
    )


class Listing(msgspec.Struct, frozen=True):
    """A listing: the digest of all that is told of it, what leads to its shortcut, its row.

    `row` is None where it may not be shown, and where `is_known` says that nothing has to be told.
    """

    told: bytes
    icloud_id: str
    row: Mapping[str, Any] | None
    is_known: bool


def read_listings(file: TableFile, is_known: Callable[[bytes, str], bool]) -> Iterator[Listing]:
    """The listings of a file; of those that are known, by digest and iCloud id, no row is read."""
    for batch in file.batches(_LISTED_COLUMNS, rows=1024):
        told = row_digests(batch)
        ids = [(one or "").lower() for one in batch.column("icloud_id").to_pylist()]
        known = [is_known(*pair) for pair in zip(told, ids, strict=True)]
        new = [at for at, is_there in enumerate(known) if not is_there]
        rows = iter(batch.take(pa.array(new, pa.int64())).to_pylist())
        for digest, icloud_id, is_there in zip(told, ids, known, strict=True):
            row = None if is_there else _shown(next(rows))
            yield Listing(digest, icloud_id, row, is_there)


def _shown(row: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The row of a listing, where it may be shown."""
    is_shown = not row.get("member_only") and row.get("state", "listed") == "listed"
    return row if is_shown else None


def listed_entry(row: Mapping[str, Any], made: Made) -> Entry:
    """The entry of a listing about a shortcut."""
    categories = row.get("categories") or [row.get("category") or UNTOLD]
    return Entry(
        ident=_ident(row["listing_id"]),
        name=_start(row["name"] or made.name, _LONGEST_NAME) or UNTOLD,
        text=_start(row["description"] or row.get("tagline")),
        author=_start(row["author_credit"], _LONGEST_NAME),
        icloud=icloud_address(row["icloud_id"]),
        page=web_address(row["listing_url"]),
        apps=made.apps,
        level=made.level,
        site=row["site"],
        categories=tuple(dict.fromkeys(categories))[:_MOST_CATEGORIES],
        length=made.length,
    )


def _ident(*told: str) -> str:
    """What an entry is known by in an address: the start of a digest."""
    return hex_of(digest_of_parts("entry", told))[:_IDENT_DIGITS]


def first_steps(workflow: str, count: int) -> tuple[tuple[int, str], ...]:
    """Depths and lines of the first steps.

    `workflow` is the start of a description with a line for each of `count` actions.
    """
    if not count:
        return ()
    lines = workflow.split("\n")[:MOST_STEPS]
    depths = (min((len(line) - len(line.lstrip(" "))) // 2, _DEEPEST) for line in lines)
    shown = (visible(shortened(line.strip(), _LONGEST_STEP)) for line in lines)
    return tuple(zip(depths, shown, strict=True))


def app_names(tables: ReleaseTables) -> dict[str, str]:
    """Names of apps for people, where the release holds them."""
    found: dict[str, str] = {}
    for names in tables.each("apps", dict[str, str], _names_in):
        found |= names
    return found


def _names_in(file: TableFile) -> dict[str, str]:
    found: dict[str, str] = {}
    if file.has("app", "name"):
        for batch in file.batches(["app", "name"], rows=4096):
            rows = batch.to_pylist()
            found |= {row["app"]: row["name"] for row in rows if row["app"] and row["name"]}
    return found


def _start(text: str | None, most: int = _LONGEST_TEXT) -> str | None:
    """The start of a long text, at a word."""
    if not text or len(text) <= most:
        return visible(text) if text else None
    return visible(text[:most].rsplit(None, 1)[0]) + "…"
