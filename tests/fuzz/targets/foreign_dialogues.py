"""Fuzz files of API-Bank and of examples: read them, store and write the rows, and read again."""

import json
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

from benchloom.core.records import ApiDefinition, Rejected
from benchloom.exchange.examples import Example
from benchloom.exchange.examples.dialogues import Rights, dialogue_of
from benchloom.exchange.examples.plans import plan_of
from benchloom.exchange.formats import FORMATS, Reading
from benchloom.storage.inputs import SourceObject
from tests.benchloom.exchange.formats.api_bank.sample import (
    DIALOGUE,
    LAMP,
    LIBRARY,
    PLAN,
    SCENE,
)
from tests.benchloom.worlds.suites.api_bank.sample import lines
from tests.fuzz import Target
from tests.fuzz.mutations import mutate_bytes
from tests.fuzz.rows import store_rows
from tests.fuzz.trees import mutate_tree
from tests.support.folders import contents
from tests.support.formats import export, reader, stored_object

WORDS = (
    b"API-Request: [", b"f(a='", b"')]", b"->", b"{'x': [", b"[[[[[[[[", b"'x', ", b"\\'",
    b'"role": "API"', b'"param_dict": {}', b'"result": null', b'"exception": "x"',
    b'"ToolSearcher"', b"\nUser: ", b"\nAI: ", b'{"$ref": {"step": 0}}', b'{"$text": [',
    b"input_parameters = {", b"First Utterance: ", b"API Calls:", b'"instruction"',
    b"Generate API Request:", b"None", b"1e999", b"\xef\xbb\xbf", b"\r\n",
)  # fmt: skip
_HISTORY = "User: Light it\nAI: Which\nAPI-Request: [Other(x='1')]->[1, {'a': 2}]\n"
_CALL = "API-Request: [SetLamp(room='attic', shades=['warm, dim'], options={'a': None})]"
_ROWS = [
    {"instruction": f"API descriptions:\n{json.dumps(LAMP)}", "input": text, "output": following}
    for text, following in (
        (f"{_HISTORY}Generate API Request:\n", _CALL),
        (f"{_HISTORY}{_CALL}->success\nGenerate AI Response:\n", "AI: Done"),
    )
]
_WRITTEN = ("api-bank", "api-bank-train", "jsonl")


def seeds() -> list[bytes]:
    """Return a file of every shape."""
    hand_made_files = [lines(*DIALOGUE), json.dumps([PLAN]).encode(), lines(*_ROWS)]
    hand_made_files += [LIBRARY.encode(), SCENE.encode()]
    records = _records_of("jsonl", ())
    for data in hand_made_files:
        records += _records_of("api-bank", [_source(data)])
    with tempfile.TemporaryDirectory() as folder:
        examples = [example for example in records if isinstance(example, Example)]
        export("jsonl", Path(folder), *examples)
        return [*hand_made_files, *(path.read_bytes() for path in Path(folder).iterdir())]


def _source(data: bytes) -> SourceObject:
    name = "level-1/a.txt" if data[:6].lower() == b"scene:" else "level-1/a.jsonl"
    return stored_object(name, data)


def _records_of(name: str, sources: Sequence[SourceObject]) -> list[object]:
    return [*reader(name).read(sources)]


def read(data: bytes) -> int:
    """Read rows from the bytes, write them in every format, and read them again without errors."""
    source = _source(data)
    formats = {
        name for name, member in FORMATS.only(Reading).items() if member.recognises("a", data)
    }
    records = _records_of("jsonl" if "jsonl" in formats else "api-bank", [source])
    examples = [record for record in records if isinstance(record, Example)]
    examples_with_calls = [example for example in examples if example.calls]
    store_rows("planning_paths", [plan_of(example) for example in examples_with_calls])
    store_rows("dialogues", [dialogue_of(example, None, Rights("", "")) for example in examples])
    store_rows(
        "api_definitions", [record for record in records if isinstance(record, ApiDefinition)]
    )
    for name in _WRITTEN:
        with tempfile.TemporaryDirectory() as folder:
            export(name, Path(folder), *examples)
            records_read_again = [
                record
                for path, content in contents(Path(folder)).items()
                for record in _records_of(
                    "jsonl" if name == "jsonl" else "api-bank", [stored_object(path, content)]
                )
            ]
        refused = [record for record in records_read_again if isinstance(record, Rejected)]
        assert not refused, refused
    return store_rows("rejected", [record for record in records if isinstance(record, Rejected)])


def mutate(chance: Random, files: Sequence[bytes]) -> bytes:
    """Return a mutant; half of the mutants are valid JSON with odd values."""
    if chance.random() < 0.5:
        with suppress(ValueError, RecursionError):
            lines_of_file = chance.choice(files).splitlines()
            at = chance.randrange(len(lines_of_file))
            tree = mutate_tree(chance, json.loads(lines_of_file[at]), property_list=False)
            lines_of_file[at] = json.dumps(tree, ensure_ascii=chance.random() < 0.5).encode()
            return b"\n".join(lines_of_file)
    return mutate_bytes(chance, files, WORDS)


TARGET = Target("foreign-dialogues", seeds, read, mutate, words=WORDS)
