"""Fuzz files of MultiWOZ: dialogues with valid acts, and acts with valid dialogues."""

from functools import partial

import msgspec

from benchloom.core.records import Rejected
from parsers.dialogues.conversion.rows import Converted, DialogueRows
from parsers.dialogues.material import AccompanyingFile, DialogueInput, PlanOptions
from parsers.dialogues.sources import DIALOGUE_SOURCES
from tests.fuzz import Target
from tests.fuzz.rows import store_rows
from tests.fuzz.trees import mutate_json
from tests.support.samples.dialogues import dialogue_files, sample

SAMPLE = sample("multiwoz")
SCHEMA = AccompanyingFile("schema.json", (SAMPLE / "schema.json").read_bytes())
ACTS = (SAMPLE / "dialog_acts.json").read_bytes()
DIALOGUES = b"[" + b",".join(f.read_bytes().strip()[1:-1] for f in dialogue_files(SAMPLE)) + b"]"
WORDS = (
    b"{", b"}", b"[", b"]", b'"', b"null", b'"slots": []', b'"state": {}',
    b'"active_intent": "NONE"',
    b'"Booking-Book": [["ref", "X"]]', b'"copy_from": "hotel-name"', b'"SYSTEM"', b'"USER"',
    b'"slot_values": {}', b'[["none", "none"]]', b'"dontcare"',
)  # fmt: skip


def accepts(data: bytes) -> bool:
    """Return whether a file may contain dialogues of MultiWOZ or their acts."""
    return b'"turn_id"' in data or b'"dialog_act"' in data


def seeds() -> list[bytes]:
    """Return a file with each dialogue of the sample, and a file with each dialogue's acts."""
    dialogues = msgspec.json.decode(DIALOGUES, type=list[msgspec.Raw])
    acts = msgspec.json.decode(ACTS, type=dict[str, msgspec.Raw])
    files = [b"[" + bytes(dialogue) + b"]" for dialogue in dialogues]
    return files + [
        msgspec.json.encode({name: dialogue_acts}) for name, dialogue_acts in acts.items()
    ]


def read(data: bytes) -> int:
    """Convert the mutant, as acts if it looks like them, and return the number of its rows."""
    is_acts = b'"dialog_act"' in data
    acts = AccompanyingFile("dialog_acts.json", data if is_acts else ACTS)
    dialogue_input = DialogueInput(("train/dialogues.json",), (SCHEMA, acts), "top")
    source = DIALOGUE_SOURCES.find("multiwoz")
    conversion = source.open(dialogue_input, PlanOptions())
    conversion.fault_of(acts.source_uri)
    rows = DialogueRows(source, conversion).of_file(
        "train/dialogues.json", DIALOGUES if is_acts else data
    )
    all_rows = list(rows)
    converted_rows = [row for row in all_rows if isinstance(row, Converted)]
    refused = [row for row in all_rows if isinstance(row, Rejected)]
    store_rows("dialogues", [row.dialogue for row in converted_rows])
    return store_rows("planning_paths", [row.path for row in converted_rows]) + store_rows(
        "rejected", refused
    )


TARGET = Target(
    "multiwoz-dialogues", seeds, read, partial(mutate_json, words=WORDS), accepts=accepts
)
