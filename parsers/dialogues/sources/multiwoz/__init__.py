"""MultiWOZ 2.2 uses SGD's file format, with one schema for all splits and no recorded calls.

The dataset is `data/MultiWOZ_2.2` of github.com/budzianowski/multiwoz. `schema.json` and
`dialog_acts.json` are above the folders of the splits; frames contain states and spans, but no
acts. The licence is MIT, as the repository declares it for the dataset. docs/decisions/0114 defines
calls and their results.
"""

from typing import TYPE_CHECKING

from parsers.dialogues.sources import DialogueSource

if TYPE_CHECKING:
    from parsers.dialogues.conversion.readers import FileReading


def _reading() -> "FileReading":
    from parsers.dialogues.sources.multiwoz.states import READING

    return READING


SOURCE = DialogueSource(
    name="multiwoz",
    title="MultiWOZ 2.2",
    address="https://github.com/budzianowski/multiwoz",
    licence="MIT",
    redistributable=True,
    modes=("flow",),
    reading=_reading,
)
