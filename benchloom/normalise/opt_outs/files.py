"""List shortcut files that were captured or parsed but must not be published, with reasons.

A captured file is published only if publishable data refer to it: an iCloud link that is still
shared, or a listing. `withheld.json` of a finished stage lists all other captured files by the
digest of their bytes. An opt-out names the id of a shortcut or a link; it also excludes every copy
of the same content, from any source.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from benchloom.core.identity import digest_of_parts, tagged_digest
from benchloom.core.records import Rejected
from benchloom.normalise.shortcuts import Key
from benchloom.storage.workspace import write_file

FILE_NAME = "withheld.json"
OPTED_OUT = "opted_out"
WITHHELD_REASONS = frozenset({OPTED_OUT, "removed", "withheld", "unshared"})
"""If a rejected row has one of these reasons, no release may contain an object with its
`digest`."""

_MESSAGES = {
    OPTED_OUT: "its author does not want it published",
    "withheld": "every listing that leads to it is withheld",
    "unshared": "no link that is still shared leads to it",
}


class Withheld(msgspec.Struct, frozen=True):
    """Files and shortcuts that must not be published.

    `files` maps the `source_digest` of a withheld file to the reason, and `shortcuts` are the ids
    of shortcuts whose owners opted out.
    """

    files: dict[str, str] = {}
    shortcuts: tuple[str, ...] = ()

    def digest(self) -> str:
        """Return a digest of all withheld files and shortcuts, for cache keys."""
        parts = [f"{digest} {reason}" for digest, reason in sorted(self.files.items())]
        return digest_of_parts("withheld", [*parts, *sorted(self.shortcuts)])

    def joined(self, opt_out: Iterable[str]) -> "Withheld":
        """Return a copy that also withholds the shortcuts whose ids are in the list of opt-outs."""
        named = (entry.strip() for entry in opt_out)
        ids = {entry for entry in named if entry.startswith("shortcut:")}
        return Withheld(self.files, tuple(sorted({*self.shortcuts, *ids})))


def icloud_digest(icloud_id: str) -> str:
    """Hash the iCloud id of a withheld shortcut: only people who know the id can find it."""
    return tagged_digest("icloud", icloud_id.encode())


def write_withheld(folder: Path, withheld: Withheld) -> None:
    """Write the withheld files of a stage to `withheld.json` in its folder."""
    write_file(folder / FILE_NAME, msgspec.json.encode(withheld, order="deterministic"))


def read_withheld(folder: Path | None) -> Withheld:
    """Read the withheld files of a finished stage. Without `withheld.json`, nothing is withheld."""
    path = None if folder is None else folder / FILE_NAME
    if path is None or not path.is_file():
        return Withheld()
    return msgspec.json.decode(path.read_bytes(), type=Withheld)


def withhold_files(
    keys: Sequence[Key], withheld: Withheld
) -> tuple[Sequence[Key], tuple[Rejected, ...]]:
    """Return the keys of the rows that may be published, and a rejected row for each other key.

    An opt-out covers the content, so it also covers copies under another link. Shortcuts without
    actions have equal content without being copies; for them only equal bytes count.
    """
    if not withheld.files and not withheld.shortcuts:
        return keys, ()
    opted = set(withheld.shortcuts)
    opted |= {
        key.shortcut_id
        for key in keys
        if not key.empty and withheld.files.get(key.source_digest) == OPTED_OUT
    }
    published_keys: list[Key] = []
    rejected: list[Rejected] = []
    for key in keys:
        reason = withheld.files.get(key.source_digest)
        if key.shortcut_id in opted and (not key.empty or key.shortcut_id in withheld.shortcuts):
            reason = OPTED_OUT
        if reason is None:
            published_keys.append(key)
            continue
        # The path in the archive may contain the withheld id; the archive and the digest suffice.
        archive = key.source_uri.partition("!")[0]
        rejected.append(
            Rejected("normalise", archive, reason, _MESSAGES[reason], key.source_digest)
        )
    return published_keys, tuple(rejected)
