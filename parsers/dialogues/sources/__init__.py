"""Datasets of dialogues, one module each, discovered by name: a module offers `SOURCE`.

A new source needs one new module here and a hand-made sample; the command line, the
configuration, the rebuild and the known names pick it up.
`tests/contracts/test_dialogue_sources.py` runs every member through one suite.
"""

from benchloom.core.kinds import Kind
from parsers.dialogues.protocol import DialogueSource

DIALOGUE_SOURCES: Kind[DialogueSource] = Kind(
    "dialogue source", __name__, DialogueSource, attribute="SOURCE"
)
