"""A sample of each format that is read, as its publisher lays it out, written by us."""

import json
from pathlib import Path
from typing import Any

import msgspec

from benchloom.formats import FORMATS, Writing
from benchloom.inputs import SourceObject
from tests.benchloom.examples.sample import example
from tests.benchloom.formats.generated import written

Json = dict[str, Any]
SCHEMA: Json = {
    "type": "object",
    "properties": {"port": {"type": "string"}, "knots": {"type": "integer"}},
    "required": ["port"],
}
SAIL: Json = {"name": "sail", "description": "Sails there.", "parameters": SCHEMA}
GIVEN: Json = {"port": "Lomm", "knots": 7}
XLAM_TOOL: Json = {
    "name": "sail",
    "description": "Sails there.",
    "parameters": {
        "port": {"type": "str", "description": "where to"},
        "knots": {"type": "int, optional", "default": 5},
        "crew": {"type": "List[str]", "default": []},
    },
}
TOOLACE_TOOL: Json = {
    "name": "Sail To/Port",
    "description": "Sails there.",
    "parameters": {**SCHEMA, "type": "dict"},
    "required": None,
}
TOOLACE_RESULTS = [
    {"name": "Sail To/Port", "results": {"ok": True}},
    {"name": "Sail To/Port", "results": {"ok": False}},
]
TOOLACE_CALLS = "[Sail To/Port(port=\"Lomm\", knots=7), Sail To/Port(port='O\\'Hara')]"
GLAIVE_CALL = '{"name": "sail", "arguments": \'{"port": "Lomm", "knots": 7}\'}'
SAMPLES: dict[str, list[Json]] = {
    "xlam": [
        {
            "id": 7,
            "query": "Sail to Lomm.",
            "answers": json.dumps([{"name": "sail", "arguments": GIVEN}]),
            "tools": json.dumps([XLAM_TOOL]),
        },
        {"id": 8, "query": "Sing.", "answers": "[]", "tools": [XLAM_TOOL]},
    ],
    "toolace": [
        {
            "system": f"Call one of these functions:\n{json.dumps([TOOLACE_TOOL])}\nOnly calls.",
            "conversations": [
                {"from": "user", "value": "Sail to Lomm, twice."},
                {"from": "assistant", "value": TOOLACE_CALLS},
                {"from": "tool", "value": json.dumps(TOOLACE_RESULTS)},
                {"from": "assistant", "value": "[1] You are there."},
            ],
        },
        {
            "system": f"Call one of these functions:\n{json.dumps([TOOLACE_TOOL])}",
            "conversations": [
                {"from": "user", "value": "Sing."},
                {"from": "assistant", "value": "None of the functions sings."},
            ],
        },
    ],
    "tau2": [
        {
            "id": "0",
            "description": {"purpose": "sail"},
            "user_scenario": {
                "persona": None,
                "instructions": {
                    "domain": "sea",
                    "reason_for_call": "You want to sail to Lomm.",
                    "known_info": "You are Ada.",
                    "unknown_info": None,
                    "task_instructions": "Be brief.",
                },
            },
            "initial_state": None,
            "evaluation_criteria": {
                "actions": [
                    {"action_id": "0_0", "name": "sail", "arguments": GIVEN, "info": None},
                    {"action_id": "0_1", "requestor": "user", "name": "hoist", "arguments": {}},
                ],
                "nl_assertions": None,
            },
        },
        {
            "id": "1",
            "user_scenario": {"instructions": "Sail to Lomm."},
            "evaluation_criteria": {"actions": [{"name": "sail", "arguments": {"port": "Lomm"}}]},
        },
    ],
    "openai-functions": [
        {
            "messages": [
                {"role": "user", "content": "Sail to Lomm."},
                {
                    "role": "assistant",
                    "content": None,
                    "function_call": {"name": "sail", "arguments": json.dumps(GIVEN)},
                },
                {"role": "function", "name": "sail", "content": '{"ok": true}'},
                {"role": "assistant", "content": "You are there."},
            ],
            "functions": [SAIL],
        }
    ],
    "glaive": [
        {
            "system": "SYSTEM: You may call these functions -\n"
            + json.dumps(SAIL, indent=4)
            + "\n\n"
            + json.dumps({**SAIL, "name": "row"}, indent=4),
            "chat": "USER: Sail to Lomm.\n\n\nASSISTANT: <functioncall> "
            f"{GLAIVE_CALL} <|endoftext|>\n\n\n"
            'FUNCTION RESPONSE: {"ok": true}\n\n\nASSISTANT: You are there. <|endoftext|>',
        },
        {
            "sample": "SYSTEM: You may call these functions -\n"
            + json.dumps(SAIL)
            + "\nUSER: Sing.\nASSISTANT: I only sail. <|endoftext|>"
        },
    ],
}


SAMPLES |= {
    path.stem: [json.loads(record) for record in path.read_bytes().splitlines()]
    for path in sorted((Path(__file__).parents[2] / "data" / "formats").glob("*.jsonl"))
}


def sample_objects(name: str, folder: Path) -> list[SourceObject]:
    """Files of a format: those of `SAMPLES`, or what the format writes itself.

    Raises:
        KeyError: the format has no sample.
    """
    member = FORMATS.find(name)
    if name not in SAMPLES and isinstance(member, Writing):
        asked = msgspec.structs.replace(example(), request="Find and book")
        return written(name, folder, asked)[0]
    data = "\n".join(map(json.dumps, SAMPLES[name])).encode()
    return [SourceObject("sample.jsonl", len(data), lambda: data)]
