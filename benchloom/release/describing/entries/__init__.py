"""Entries of the catalogue: what they tell, their pieces of pages, and their order.

An entry is a shortcut as one site lists it, or a named shortcut without a listing. Left out are
shortcuts with redactions (what is shared on iCloud still holds what was hidden here), listings
that were taken down or are for members only, and listings whose shortcut the release lacks. A
shortcut that only such listings know is not shown by its own name either.
"""

from benchloom.release.describing.entries.collecting import Entries
from benchloom.release.describing.entries.paging import EntryPage, cut
from benchloom.release.describing.entries.pieces import (
    EntryPieces,
    PieceFile,
    address_is_sound,
    address_of,
    in_category,
    in_search,
    is_sound,
    name_in,
    on_site,
    slug,
)
from benchloom.release.describing.entries.placed import Placed, placed_entries

__all__ = [
    "Entries",
    "EntryPage",
    "EntryPieces",
    "PieceFile",
    "Placed",
    "address_is_sound",
    "address_of",
    "cut",
    "in_category",
    "in_search",
    "is_sound",
    "name_in",
    "on_site",
    "placed_entries",
    "slug",
]
