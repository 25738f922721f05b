"""A small sample of API-Bank in every shape of its files."""

from pathlib import Path
from typing import Any

from benchloom.core.records import ApiDefinition, Rejected
from benchloom.exchange.examples import Example
from benchloom.exchange.formats.api_bank import FORMAT
from tests.benchloom.worlds.suites.api_bank.sample import recorded_call
from tests.support.folders import contents
from tests.support.formats import stored_object

Json = dict[str, Any]
LAMP: Json = {
    "name": "SetLamp",
    "description": "Sets a lamp.",
    "input_parameters": {
        "room": {"type": "str", "description": "Where"},
        "shades": {"type": "List[str]", "description": "Which"},
        "options": {"type": "dict", "description": "How"},
    },
    "output_parameters": {"state": {"type": "str", "description": "on or off"}},
}
SHADES = ["warm, dim", 'it\'s "blue"']
OPTIONS = {"fade": {"seconds": 1.5, "steps": [1, 2]}, "loop": None}


LAMP_ARGUMENTS: Json = {"room": "attic", "shades": SHADES, "options": OPTIONS}
DIALOGUE: list[Json] = [
    {"role": "User", "text": "Make the attic cosy"},
    {"role": "AI", "text": "Let me look for a tool."},
    recorded_call("ToolSearcher", {"keywords": "lamp"}, [LAMP]),
    {"role": "User", "text": "Warm and blue\nplease"},
    recorded_call("SetLamp", LAMP_ARGUMENTS, {"state": "on"}),
    recorded_call("SetLamp", {"room": "cellar"}, None, "there is no lamp"),
    {"role": "AI", "text": "The attic is lit."},
    {"role": "User", "text": "Thanks"},
]
PLAN: Json = {
    "requirement": "Make the attic cosy",
    "response": "It is.",
    "apis": [
        {
            "api_name": name,
            "input": arguments,
            "output": recorded_call(name, arguments, output)["result"],
        }
        for name, arguments, output in (
            ("ToolSearcher", {"keywords": "lamp"}, LAMP),
            ("SetLamp", LAMP_ARGUMENTS, "success"),
        )
    ],
}
LIBRARY = """id,类名,api_info
1,SetLamp,"description = ""Sets a lamp.""
input_parameters = {
    'room': {'type': 'str', 'description': 'Where', 'required': True},
    'level': {'type': 'int', 'description': 'How bright', 'required': False},
}
output_parameters = {'state': {'type': 'str', 'description': 'on or off'}}"
2,Broken,"import os; description = os.system('true')"
3,GetHour,"description = 'What hour it is'
input_parameters = {None}
output_parameters = {'hour': {'type': 'int', 'description': 'From 0'}}"
"""
SCENE = """Scene: Evening

First Utterance: Get the attic ready.

Key Info:
- "Kim": {"room": "attic"}

GT API Call:
SetLamp(room=attic, shades=["warm", "dim"])
SetLamp(room="cellar"): as well
"""


def read(**files: bytes) -> tuple[list[Example], list[ApiDefinition], list[Rejected]]:
    """Read files, given by name; return examples, definitions and rejected records."""
    records = [*FORMAT.read([stored_object(name, data) for name, data in files.items()])]
    return (
        [example for example in records if isinstance(example, Example)],
        [definition for definition in records if isinstance(definition, ApiDefinition)],
        [rejection for rejection in records if isinstance(rejection, Rejected)],
    )


def read_folder(folder: Path) -> tuple[list[Example], list[ApiDefinition], list[Rejected]]:
    return read(**contents(folder))
