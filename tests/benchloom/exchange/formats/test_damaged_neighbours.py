"""Damaged records of trainers' formats: each is told with its place, its neighbours are read."""

from benchloom.core.records import Rejected
from benchloom.exchange.examples import Example
from benchloom.exchange.formats import FORMATS, Reading
from benchloom.storage.inputs import SourceObject

GOOD = (
    b'{"messages": [{"role": "user", "content": "Sail"}, {"role": "assistant", "content": "",'
    b' "tool_calls": [{"id": "c", "type": "function", "function": {"name": "find",'
    b' "arguments": "{}"}}]}], "tools": [{"type": "function", "function": {"name": "find",'
    b' "description": "", "parameters": {"type": "object", "properties": {"a":'
    b' {"type": ["string", "null"]}}}}}]}'
)
BAD = b'{"messages": "\xff"}'


def read(data: bytes) -> tuple[int, list[tuple[str, str]]]:
    member = FORMATS.find("openai")
    assert isinstance(member, Reading)
    records = list(member.read([SourceObject("a.json", len(data), lambda: data)]))
    rejected = [(row.source_uri, row.reason) for row in records if isinstance(row, Rejected)]
    return sum(isinstance(row, Example) for row in records), rejected


def test_bytes_that_are_no_text_spoil_one_record_alone() -> None:
    assert read(GOOD + b"\n" + BAD + b"\n" + GOOD) == (2, [("a.json#2", "bad_json")])
    assert read(b"[" + GOOD + b"," + BAD + b"," + GOOD + b"]") == (2, [("a.json#2", "bad_json")])


def test_a_cut_list_keeps_every_whole_record() -> None:
    assert read(b"[" + GOOD + b"," + GOOD[:40]) == (1, [("a.json#2", "bad_json")])
