"""A small set in the shape of NESTFUL: two tools, and records that call them."""

import json
from pathlib import Path
from typing import Any

TOOLS: list[dict[str, Any]] = [
    {
        "name": "Ferries.Find",
        "description": "Ferries between two harbours",
        "query_parameters": {
            "from": {"type": "String", "description": "Harbour", "required": True},
            "to": {"type": "string", "description": "Harbour", "required": True},
            "deck": {"type": "Enum", "allowed_values": ["sun", "car"], "default_value": "sun"},
        },
        "output_parameters": {
            "ferry_id": {"type": "string"},
            "port": {"type": "Object", "properties": {"name": {"type": "string"}}},
            "stops": {"type": "Array", "items": {"properties": {"id": {"type": "string"}}}},
        },
        "host": "ferries.example",
    },
    {
        "name": "Ferries.Book",
        "description": "Book a ferry",
        "parameters": {
            "type": "object",
            "properties": {"ferry": {"type": "string"}, "seats": {"type": "integer"}},
            "required": ["ferry"],
        },
        "output_parameters": {"ticket": {"type": "string"}},
    },
]


def call(name: str, label: str, **arguments: object) -> dict[str, Any]:
    return {"name": name, "arguments": arguments, "label": label}


def record(text: str, *calls: dict[str, Any], **answer: object) -> dict[str, Any]:
    closing = {"name": "var_result", "arguments": answer}
    return {"input": text, "output": [*calls, closing]}


FIND = {"name": "Ferries.Find", "arguments": {"from": "Lomm", "to": "Aru"}, "label": "var1"}
GOOD = record(
    "Book a ferry from Lomm to Aru",
    FIND,
    call("Ferries.Book", "var2", ferry="$var1.ferry_id$", seats=2),
    ticket="$var2.ticket$",
)


def write_set(folder: Path, *records: dict[str, Any], name: str = "sea") -> Path:
    """Write a file of records and a file of tools into a folder, and return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}-spec.json").write_text(json.dumps(TOOLS, indent=1))
    (folder / f"{name}-data.json").write_text(json.dumps(records, indent=1))
    return folder
