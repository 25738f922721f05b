"""What is known of texts while a run goes on, and what of it is kept for the next one."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from benchloom.normalise.redaction.searched.digests import Digests, GrowingDigests
from benchloom.normalise.redaction.searched.store import (
    FOUND,
    LOOKS,
    MOST_FOUND,
    MOST_KNOWN,
    NEWER,
    WHOLE,
    AllFound,
    Found,
    Known,
    write_digests,
    write_places,
)

_MOST_UNKNOWN = 8192
"""Texts that are searched before what others know is read: to read it takes as long."""
_LEAST_NEWER = 1 << 12
_NEWER_SHARE = 8
"""What came later is written by itself as long as it is at most this part of the whole."""


class Searched:
    """What is known of texts at the start, and what is used or learned from then on.

    Args:
        known: what a store tells.
        folder, user: where in a store `write` leaves what was searched.
        more: reads what a store tells besides, for whoever searches much that is not known.
    """

    def __init__(
        self,
        known: Known,
        folder: Path | None = None,
        user: str = "",
        more: Callable[[], Known] | None = None,
    ) -> None:
        self.folder = folder
        self.user = user
        self._known = known
        self._more = more
        self._unknown = 0
        self._met = bytearray(len(known.whole))
        self._used = GrowingDigests()
        self._found: AllFound = {}
        self._rows: list[bytes] = []
        self._looks: set[bytes] = set()
        self._told_looks: list[bytes] = []
        self._passed_over = False
        self._whole_count = len(known.whole)
        self._written = known.whole

    def holds_nothing(self, text: bytes) -> bool:
        """Whether a text, by its digest, was searched before and nothing was found."""
        place = self._known.whole.place(text)
        if place is not None:
            self._met[place] = 1
            return True
        if text in self._used:
            return True
        if not self._knows(text):
            return False
        self.add(text)
        return True

    def hold_nothing(self, texts: Sequence[bytes]) -> list[bool]:
        """The same of many texts, in their order."""
        whole, newer = self._known.whole.places(texts), self._known.newer.places(texts)
        np.frombuffer(self._met, np.uint8)[whole[whole >= 0]] = 1
        known = (whole >= 0) | (newer >= 0)
        for at in np.flatnonzero((whole < 0) & (newer >= 0)).tolist():
            self.add(texts[at])
        return [
            is_known or self.holds_nothing(text)
            for is_known, text in zip(known.tolist(), texts, strict=True)
        ]

    def _knows(self, text: bytes) -> bool:
        if text in self._known.newer:
            return True
        if self._more is None:
            return False
        self._unknown += 1
        if self._unknown < _MOST_UNKNOWN:
            return False
        self._used.update(self._known.whole.marked(self._met))
        self._known, self._more = self._more(), None
        self._written = self._known.whole
        self._met = bytearray(len(self._known.whole))
        return text in self._known.whole or text in self._known.newer

    def add(self, text: bytes) -> None:
        """Remember a text, by its digest, in which nothing was found."""
        if len(self._used) < MOST_KNOWN:
            self._used.add(text)

    def found(self, text: bytes) -> Found | None:
        """Where something was found in a text, by its digest; None where that is not known."""
        found = self._found.get(text)
        if found is None and (found := self._known.found.get(text)) is not None:
            self.add_found(text, found)
        return found

    def add_found(self, text: bytes, found: Found) -> None:
        """Remember where something was found in a text."""
        if len(self._found) < MOST_FOUND:
            self._found[text] = found

    def is_sound(self, row: bytes) -> bool:
        """Whether a row, by its digest, was looked at before and nothing was found."""
        if not self.holds_nothing(row):
            return False
        self._rows.append(row)
        return True

    def add_row(self, row: bytes) -> None:
        """Remember a row, by its digest, in which nothing was found."""
        self.add(row)
        self._rows.append(row)

    def sound_rows(self) -> tuple[bytes, ...]:
        """The sound rows since this was asked last, for whoever remembers them elsewhere."""
        rows = tuple(self._rows)
        self._rows.clear()
        return rows

    def passes_over(self, look: bytes) -> bool:
        """Whether a look at much at once, by its digest, found nothing before.

        What it looked at is not met this time. So nothing is forgotten for once: when it stands in
        another file, it is known row by row and text by text.
        """
        if look not in self._looks and look not in self._known.looks:
            return False
        self.add_look(look)
        return True

    def add_look(self, look: bytes) -> None:
        """Remember a look, by its digest, that found nothing."""
        self.take_looks([look])
        self._told_looks.append(look)

    def sound_looks(self) -> tuple[bytes, ...]:
        """The looks that are known to find nothing, as `sound_rows`."""
        looks = tuple(self._told_looks)
        self._told_looks.clear()
        return looks

    def take_looks(self, looks: Iterable[bytes]) -> None:
        """Know looks that found nothing elsewhere, as if they had been made or passed over here."""
        for look in looks:
            self._passed_over = self._passed_over or look in self._known.looks
            self._looks.add(look)

    def take(self, learned: Known) -> None:
        """Know what was searched elsewhere, as if it had been searched here."""
        for texts in (learned.whole, learned.newer):
            self._used.update(texts.first(max(0, MOST_KNOWN - len(self._used))))
        for text, found in learned.found.items():
            self.add_found(text, found)
        self.take_looks(sorted(learned.looks))

    def _all_used(self) -> Digests:
        """What was met or searched here."""
        return Digests.together([self._known.whole.marked(self._met), self._used.whole()])

    def write_used(self, folder: Path) -> None:
        """Write what was used into another folder, for `take`.

        Raises:
            OSError: it cannot be written.
        """
        write_digests(folder / f"{self.user}{NEWER}", self._all_used())
        write_places(folder / f"{self.user}{FOUND}", self._found)
        write_digests(folder / f"{self.user}{LOOKS}", Digests(self._looks))

    def write(self, folder: Path, *, with_known: bool = False) -> None:
        """Write what was used; `with_known` all that is known.

        All that is known is written where something was passed over, too, unless it has become too
        much.

        Raises:
            OSError: it cannot be written.
        """
        found = self._found
        looks = Digests(self._looks)
        if with_known or self._passed_over:
            self._write_newer(folder)
            found = {**self._known.found, **found}
            looks = Digests.together([looks, self._known.looks])
        else:
            self._write_whole(folder, self._all_used())
        write_places(folder / f"{self.user}{FOUND}", found)
        write_digests(folder / f"{self.user}{LOOKS}", looks)

    def _write_newer(self, folder: Path) -> None:
        """Write what has come beside what was there, or together with it where it is much."""
        known = self._known
        newer = Digests.together([self._used.whole(), known.newer]).without(self._written)
        if len(newer) <= max(_LEAST_NEWER, self._whole_count // _NEWER_SHARE):
            write_digests(folder / f"{self.user}{NEWER}", newer)
            return
        every = Digests.together([self._used.whole(), known.whole, known.newer])
        self._write_whole(folder, every if len(every) <= MOST_KNOWN else self._all_used())

    def _write_whole(self, folder: Path, texts: Digests) -> None:
        write_digests(folder / f"{self.user}{WHOLE}", texts)
        (folder / f"{self.user}{NEWER}").unlink(missing_ok=True)
        self._whole_count = len(texts)
        self._written = texts
