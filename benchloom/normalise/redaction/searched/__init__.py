"""What earlier searches found in texts and rows, by their digests: they are not searched again.

What a search finds depends on what is searched and on the code of the search alone. A store is a
folder of sealed files, a few for each user (a shard of a stage, a release): the digests of what
this user searched without finding anything (texts, cells with all that their JSON holds, rows that
a gate looked at with all its rules), where in texts something was found, and looks: of a gate at
many rows at once in which it found nothing. The texts themselves are never kept. A file that is
missing, damaged or of other code only costs the searches again.
"""

from benchloom.normalise.redaction.searched.contexts import (
    SearchStore,
    keep_searches,
    knowing,
    learning,
    remembering,
    searched_texts,
    take_learned,
)
from benchloom.normalise.redaction.searched.digests import DIGEST_BYTES, looked_at, text_digest
from benchloom.normalise.redaction.searched.knowledge import Searched
from benchloom.normalise.redaction.searched.runs import path_runs

__all__ = [
    "DIGEST_BYTES",
    "SearchStore",
    "Searched",
    "keep_searches",
    "knowing",
    "learning",
    "looked_at",
    "path_runs",
    "remembering",
    "searched_texts",
    "take_learned",
    "text_digest",
]
