"""Samples of formats that benchloom only reads, in the form in which they are published."""

import json
from pathlib import Path
from typing import Any

import msgspec

from benchloom.exchange.formats import FORMATS, Writing
from benchloom.storage.inputs import SourceObject
from tests.benchloom.exchange.examples.sample import example
from tests.benchloom.exchange.formats.generated import export_objects
from tests.support.formats import stored_object

Json = dict[str, Any]
SAIL_ARGUMENTS: Json = {"port": "Lomm", "knots": 7}
"""Arguments of the first call of each sample."""
SAMPLES: dict[str, list[Json]] = {
    path.stem: [json.loads(record) for record in path.read_bytes().splitlines()]
    for path in sorted((Path(__file__).parents[3] / "data" / "formats").glob("*.jsonl"))
}


def sample_objects(name: str, folder: Path) -> list[SourceObject]:
    """Return files of a format: its entry of `SAMPLES`, or what the format itself writes.

    Raises:
        KeyError: the format has no sample.
    """
    member = FORMATS.find(name)
    if name not in SAMPLES and isinstance(member, Writing):
        request_example = msgspec.structs.replace(example(), request="Find and book")
        return export_objects(name, folder, request_example)[0]
    data = "\n".join(map(json.dumps, SAMPLES[name])).encode()
    return [stored_object("sample.jsonl", data)]
