"""Datasets of dialogues, one module each, discovered by name: a module defines `SOURCE`.

A new source needs one new module here and a hand-made sample. The command line, the
configuration, the rebuild and the list of known names then include the source.
`tests/contracts/test_dialogue_sources.py` runs the same tests on every source.
"""

from benchloom.core.kinds import Kind
from parsers.dialogues.protocol import DialogueSource

DIALOGUE_SOURCES: Kind[DialogueSource] = Kind(
    "dialogue source", __name__, DialogueSource, attribute="SOURCE"
)
