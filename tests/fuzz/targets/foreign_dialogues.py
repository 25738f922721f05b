"""Files of API-Bank and of whole examples: read, stored as rows, written, and read again."""

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
from tests.fuzz.mutations import mutated
from tests.fuzz.rows import stored
from tests.fuzz.trees import mutated_tree
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
    """A file of every shape."""
    own = [lines(*DIALOGUE), json.dumps([PLAN]).encode(), lines(*_ROWS)]
    own += [LIBRARY.encode(), SCENE.encode()]
    whole = _found("jsonl", ())
    for data in own:
        whole += _found("api-bank", [_source(data)])
    with tempfile.TemporaryDirectory() as folder:
        examples = [example for example in whole if isinstance(example, Example)]
        export("jsonl", Path(folder), *examples)
        return [*own, *(path.read_bytes() for path in Path(folder).iterdir())]


def _source(data: bytes) -> SourceObject:
    name = "level-1/a.txt" if data[:6].lower() == b"scene:" else "level-1/a.jsonl"
    return stored_object(name, data)


def _found(name: str, sources: Sequence[SourceObject]) -> list[object]:
    return [*reader(name).read(sources)]


def read(data: bytes) -> int:
    """Read rows from the bytes, write them in every format, and read them again without errors."""
    source = _source(data)
    formats = {
        name for name, member in FORMATS.only(Reading).items() if member.recognises("a", data)
    }
    records = _found("jsonl" if "jsonl" in formats else "api-bank", [source])
    examples = [record for record in records if isinstance(record, Example)]
    called = [example for example in examples if example.calls]
    stored("planning_paths", [plan_of(example) for example in called])
    stored("dialogues", [dialogue_of(example, None, Rights("", "")) for example in examples])
    stored("api_definitions", [record for record in records if isinstance(record, ApiDefinition)])
    for name in _WRITTEN:
        with tempfile.TemporaryDirectory() as folder:
            export(name, Path(folder), *examples)
            again = [
                record
                for path, content in contents(Path(folder)).items()
                for record in _found(
                    "jsonl" if name == "jsonl" else "api-bank", [stored_object(path, content)]
                )
            ]
        refused = [record for record in again if isinstance(record, Rejected)]
        assert not refused, refused
    return stored("rejected", [record for record in records if isinstance(record, Rejected)])


def mutate(chance: Random, files: Sequence[bytes]) -> bytes:
    """Half of the mutants are sound JSON that holds something odd."""
    if chance.random() < 0.5:
        with suppress(ValueError, RecursionError):
            chosen = chance.choice(files).splitlines()
            at = chance.randrange(len(chosen))
            tree = mutated_tree(chance, json.loads(chosen[at]), property_list=False)
            chosen[at] = json.dumps(tree, ensure_ascii=chance.random() < 0.5).encode()
            return b"\n".join(chosen)
    return mutated(chance, files, WORDS)


TARGET = Target("foreign-dialogues", seeds, read, mutate, words=WORDS)
