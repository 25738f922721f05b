"""Fuzz sets of other projects (records, tools, wrapped plans) with every reader that knows them."""

import json
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgspec

from benchloom.core.records import ApiDefinition, Rejected
from benchloom.exchange.examples import Example
from benchloom.exchange.examples.findings import Repeats, findings_of
from benchloom.exchange.examples.imports import ImportedRows
from benchloom.exchange.formats import FORMATS, LineFormat, Reading, Writing
from benchloom.exchange.looks import looks_like
from benchloom.normalise.plans.gate import shape_of
from tests.benchloom.exchange.examples.sample import example
from tests.benchloom.exchange.foreign.sample import FIND, GOOD, TOOLS, call, record
from tests.benchloom.exchange.formats.foreign_samples import SAMPLES
from tests.fuzz import Target
from tests.fuzz.rows import store_rows
from tests.fuzz.trees import mutate_json
from tests.support.folders import contents
from tests.support.formats import export, stored_object

WORDS = (
    b"{", b"}", b"[", b"]", b'"', b"null", b"$var1$", b"$var1.ferry_id$", b"$var9$", b"$", b".",
    b'"label": "var1"', b'"var_result"', b'"arguments": {}', b'"tools": []', b"1e999", b"NaN",
    b'"output": []', b'"properties"', b'"required"', b"\\ud800", b"\xff", b"9" * 400, b"#a='",
)  # fmt: skip
BOOK = call("Ferries.Book", "var2", ferry="2 * $var1.stops[0].id$", seats=["$var1$", {"a": 1}])
TOOLS_FILE = json.dumps(TOOLS).encode()
PLAN = {
    "used_app": ["Ferries", "Ferries"],
    "used_api": [{"find": {"to": "Aru, #a='b'"}}, {"book": {"id": "7"}}],
    "result_arguments": [["id", "to"], ["ticket"]],
    "api_results": ["id, to = find(#to='Aru, #a='b'')", "ticket = book(#id=id)"],
    "middle_arguments": ["id", "ticket", "to"],
    "user_aware_arguments": {"to": "Aru, #a='b'"},
}


def accepts(data: bytes) -> bool:
    """Return whether any reader recognises the file."""
    return any(member.recognises("set.json", data) for member in FORMATS.only(Reading).values())


def seeds() -> list[bytes]:
    """Return records of each format and tools, as lists and as lines."""
    first = [GOOD, record("Book", FIND, BOOK, ticket="$var2$", other="$var1.port.name$")]
    labelled = [
        {**FIND, "label": "$var_1"},
        call("Ferries.Book", "$var_2", ferry="$var_1.ferry_id$"),
    ]
    second = {"sample_id": "s", "input": "x", "output": labelled, "tools": TOOLS, "gold_answer": 3}
    wrapped = {"id": "sm/1", "type": "SM", "sources": [{"split": "test"}]}
    plans = [{"input": "Book", "output": PLAN}, {**wrapped, "record": {"output": PLAN}}]
    lines = b"\n".join(json.dumps(sample_row).encode() for sample_row in (second, second))
    hand_made_files = [
        json.dumps(first, indent=1).encode(),
        TOOLS_FILE,
        lines,
        json.dumps(plans).encode(),
    ]
    published = [
        b"\n".join(json.dumps(sample_row).encode() for sample_row in rows)
        for rows in SAMPLES.values()
    ]
    return [*hand_made_files, *published, *_exported_samples()]


def _exported_samples() -> Iterator[bytes]:
    """Yield the exports of a sample that a reader recognises, in every format."""
    sample = msgspec.structs.replace(example(), request="Book a table in Lomm")
    for name, member in FORMATS.only(Reading).items():
        if isinstance(member, Writing) and "planning_paths" in member.tables:
            with tempfile.TemporaryDirectory() as folder:
                export(name, Path(folder), sample)
                yield from filter(accepts, contents(Path(folder)).values())


def read(data: bytes) -> int:
    """Return the number of rows that all readers which recognise the mutant make of it."""
    readers = FORMATS.only(Reading)
    looks_like("set.json", data[:65536])
    count = 0
    for member in readers.values():
        if member.recognises("set.json", data[:65536]):
            count += _rows(member, data)
    return count


def _rows(member: Reading, data: bytes) -> int:
    rows, repeats, shapes = ImportedRows(keep_invalid=True), Repeats(), {}
    definitions = []
    objects = [stored_object("sea-data.json", data), stored_object("sea-spec.json", TOOLS_FILE)]
    for imported_record in member.read(objects):
        if isinstance(imported_record, Rejected):
            rows.damaged.append(imported_record)
        elif isinstance(imported_record, ApiDefinition):
            definitions.append(imported_record)
            shapes[imported_record.definition_id] = shape_of(imported_record)
        else:
            rows.add(
                imported_record,
                (*findings_of(imported_record, shapes), *repeats.of(imported_record)),
            )
            _write(member, imported_record)
    return (
        store_rows("api_definitions", definitions)
        + store_rows("planning_paths", list(rows.paths()))
        + store_rows("queries", list(rows.queries.values()))
        + store_rows("rejected", rows.rejected())
    )


def _write(member: Reading, example: Example) -> None:
    if isinstance(member, LineFormat):
        line, losses = member.line(example)
        if not any(loss.whole for loss in losses):
            msgspec.json.decode(line)


TARGET = Target("foreign-sets", seeds, read, partial(mutate_json, words=WORDS), accepts=accepts)
