"""Functions that write shortcuts in the form in which Apple's editor stores them.

A token is a part of a parameter's value that is filled in at run time, such as a variable.
"""

import json
import uuid
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

SYSTEM = "is.workflow.actions."
PLACEHOLDER = "\ufffc"
_DEFINITIONS = Path(__file__).parent / "definitions/WFActions.json"

Value = object
Mapping = dict[str, Value]


@cache
def _output_names() -> dict[str, str]:
    """Return a mapping from identifiers of actions to the editor's names for their outputs."""
    actions = json.loads(_DEFINITIONS.read_bytes())
    return {
        identifier: action["Output"]["OutputName"]
        for identifier, action in actions.items()
        if "Output" in action
    }


def token(kind: str, **fields: Value) -> Mapping:
    """Return a token, such as {"Type": "Clipboard"} for the content of the clipboard."""
    return {"Type": kind, **fields}


def attachment(value: Mapping, serialization: str = "WFTextTokenAttachment") -> Mapping:
    """Return the value of a parameter that consists of one token."""
    return {"Value": value, "WFSerializationType": serialization}


def variable(name: str, **fields: Value) -> Mapping:
    """Return a token for the variable with this name."""
    return token("Variable", VariableName=name, **fields)


def ask() -> Mapping:
    """Return the token "Ask Each Time", for which the shortcut asks the user."""
    return token("Ask")


def text(*parts: str | Mapping) -> Mapping:
    """Return the value of a text parameter made of strings and tokens.

    The positions of tokens are counted in UTF-16 units.
    """
    pieces: list[str] = []
    attachments: Mapping = {}
    offset = 0
    for part in parts:
        piece = part if isinstance(part, str) else PLACEHOLDER
        if not isinstance(part, str):
            attachments[f"{{{offset}, 1}}"] = part
        pieces.append(piece)
        offset += len(piece.encode("utf-16-le")) // 2
    value: Mapping = {"string": "".join(pieces)}
    if attachments:
        # Editors do not keep the order of ranges; neither do we.
        value["attachmentsByRange"] = dict(reversed(attachments.items()))
    return {"Value": value, "WFSerializationType": "WFTextTokenString"}


def dictionary(entries: dict[str, Value]) -> Mapping:
    """Return the value of a dictionary parameter; its values are strings or results of `text`."""
    rows = [
        {
            "WFItemType": 0,
            "WFKey": text(key),
            "WFValue": text(value) if isinstance(value, str) else value,
        }
        for key, value in entries.items()
    ]
    return {
        "Value": {"WFDictionaryFieldValueItems": rows},
        "WFSerializationType": "WFDictionaryFieldValue",
    }


@dataclass
class Draft:
    """A shortcut to which actions are added; the ids of actions depend only on the title.

    `named` says whether the file contains the title. `root` has further fields of the file.
    """

    title: str
    named: bool = False
    actions: list[Value] = field(default_factory=list)
    root: Mapping = field(default_factory=dict)
    _ids: int = 0

    def new_id(self) -> str:
        """Return a new id, for an action or for a block of actions."""
        self._ids += 1
        return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{self.title}/{self._ids}")).upper()

    def add(self, name: str, **parameters: Value) -> Mapping:
        """Append an action, and return the token for its output."""
        identifier = name if name.count(".") > 1 else SYSTEM + name
        action_uuid = self.new_id()
        self.actions.append(
            {
                "WFWorkflowActionIdentifier": identifier,
                "WFWorkflowActionParameters": {**parameters, "UUID": action_uuid},
            }
        )
        usual = _output_names().get(f"{SYSTEM}{name}") or name.rsplit(".", 1)[-1].title()
        output_label = parameters.get("CustomOutputName", usual)
        return token("ActionOutput", OutputUUID=action_uuid, OutputName=output_label)

    def raw(self, identifier: Value, parameters: Value) -> None:
        """Append an action with exactly these parameters, without an id."""
        self.actions.append(
            {
                "WFWorkflowActionIdentifier": identifier,
                "WFWorkflowActionParameters": parameters,
            }
        )

    def control(self, name: str, group: str, mode: Value, **parameters: Value) -> None:
        """Append an action that opens (`mode` 0), divides (1) or closes (2) the block `group`.

        A block is a loop, a condition or a menu.
        """
        self.raw(
            SYSTEM + name,
            {"GroupingIdentifier": group, "WFControlFlowMode": mode, **parameters},
        )

    def build(self) -> Mapping:
        """Return the content of the shortcut's file, as a mapping."""
        root: Mapping = {
            "WFWorkflowClientVersion": "2302.0.4",
            "WFWorkflowMinimumClientVersion": 900,
            "WFWorkflowIcon": {
                "WFWorkflowIconStartColor": 431817727,
                "WFWorkflowIconGlyphNumber": 59511,
            },
            "WFWorkflowImportQuestions": [],
            "WFWorkflowTypes": ["WatchKit"],
            "WFWorkflowInputContentItemClasses": ["WFStringContentItem", "WFURLContentItem"],
            "WFWorkflowActions": self.actions,
        }
        if self.named:
            root["WFWorkflowName"] = self.title
        return root | self.root
