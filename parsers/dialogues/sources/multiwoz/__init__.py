"""MultiWOZ 2.2: SGD's file format, one schema for all splits, and no recorded calls.

Source: github.com/budzianowski/multiwoz, `data/MultiWOZ_2.2`: `schema.json` and
`dialog_acts.json` above the folders of the splits; frames contain states and spans, but no
acts. Licence MIT, as the repository declares it for the dataset. docs/decisions/0114 defines
calls and their results.
"""

from parsers.dialogues.conversion.source import SgdFormatSource
from parsers.dialogues.sgd.schema import read_schema
from parsers.dialogues.sgd.schemas import SCHEMA
from parsers.dialogues.sources.multiwoz.acts import ACTS, read_acts
from parsers.dialogues.sources.multiwoz.reader import from_states
from parsers.dialogues.sources.multiwoz.results import with_results

SOURCE = SgdFormatSource(
    name="multiwoz",
    title="MultiWOZ 2.2",
    address="https://github.com/budzianowski/multiwoz",
    licence="MIT",
    redistributable=True,
    modes=("flow",),
    beside={SCHEMA: read_schema, ACTS: read_acts},
    shared_schema=True,
    completing=with_results,
    reader=from_states,
)
