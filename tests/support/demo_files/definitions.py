"""Writes `demo/definitions/`: the actions of a YAML file as a WFActions file.

`python -m tests.support.demo_files.definitions` runs it; a test compares the two.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "tests/data/demo_files/definitions.yaml"
OUT = ROOT / "demo/definitions/WFActions.json"
PREFIX = "is.workflow.actions."
TYPES = {
    "text": "NSString",
    "number": "NSNumber",
    "address": "NSURL",
    "date": "NSDate",
    "picture": "public.image",
    "file": "public.data",
    "anything": "public.item",
}
CLASSES = {
    "text": "WFTextInputParameter",
    "number": "WFNumberFieldParameter",
    "steps": "WFStepperParameter",
    "share": "WFSliderParameter",
    "switch": "WFSwitchParameter",
    "choice": "WFEnumerationParameter",
    "variable": "WFVariablePickerParameter",
    "variable_name": "WFVariableFieldParameter",
    "dictionary": "WFDictionaryParameter",
    "list": "WFArrayParameter",
    "offset": "WFTimeOffsetParameter",
    "duration": "WFDurationQuantityFieldParameter",
    "place": "WFLocationParameter",
}
_OF_THE_ACTION = frozenset({"name", "group", "does", "gives", "takes", "shown"})

Json = dict[str, Any]


@cache
def source() -> dict[str, Json]:
    """The actions by identifier without the prefix they share."""
    actions: dict[str, Json] = yaml.safe_load(SOURCE.read_text())
    return actions


def definition(identifier: str, action: Json) -> Json:
    """One entry of a WFActions file."""
    entry: Json = {
        "ActionClass": "WF" + "".join(word.title() for word in identifier.split(".")) + "Action",
        "Name": action["name"],
        "Category": action["group"],
        "Description": {"DescriptionSummary": action["does"]},
        "ParameterSummary": action["shown"],
        "Parameters": [
            parameter(key, *rest) for key, rest in action.items() if key not in _OF_THE_ACTION
        ],
    }
    for name, kind in action.get("gives", {}).items():
        many = isinstance(kind, list)
        types = [TYPES[kind[0] if many else kind]]
        entry["Output"] = {"OutputName": name, "Multiple": many, "Types": types}
    for key, kinds in action.get("takes", {}).items():
        types = [TYPES[kind] for kind in kinds]
        entry["Input"] = {"ParameterKey": key, "Multiple": True, "Required": True, "Types": types}
    return entry


def parameter(key: str, kind: str, label: str, default: object = None) -> Json:
    """One parameter; the first choice of a choice is its default."""
    entry: Json = {"Class": CLASSES[kind], "Key": key, "Label": label}
    if isinstance(default, list):
        entry["Items"] = default
        default = default[0]
    if default is not None:
        entry["DefaultValue"] = default
    return entry


def written() -> bytes:
    """The file."""
    actions = {PREFIX + key: definition(key, action) for key, action in sorted(source().items())}
    return (json.dumps(actions, ensure_ascii=False, indent=1) + "\n").encode()


if __name__ == "__main__":
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_bytes(written())
