"""A small language for writing shortcuts by hand, as Apple's editor would store them."""

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
    """Return the editor's names for the outputs of actions, by identifier of the action."""
    actions = json.loads(_DEFINITIONS.read_bytes())
    return {
        identifier: action["Output"]["OutputName"]
        for identifier, action in actions.items()
        if "Output" in action
    }


def token(kind: str, **fields: Value) -> Mapping:
    """Return a token, such as the clipboard: {"Type": "Clipboard"}."""
    return {"Type": kind, **fields}


def attachment(value: Mapping, serialization: str = "WFTextTokenAttachment") -> Mapping:
    """Return a parameter that consists of one token."""
    return {"Value": value, "WFSerializationType": serialization}


def variable(name: str, **fields: Value) -> Mapping:
    """Return a token for a named variable."""
    return token("Variable", VariableName=name, **fields)


def ask() -> Mapping:
    """Return a token for "Ask Each Time"."""
    return token("Ask")


def text(*parts: str | Mapping) -> Mapping:
    """Return a text with tokens between its parts; ranges count UTF-16 units."""
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
    """Return a dictionary parameter; values are texts made with `text`, or plain strings."""
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
    """A shortcut being written. Ids are derived from its title, so they are always the same."""

    title: str
    named: bool = False
    actions: list[Value] = field(default_factory=list)
    root: Mapping = field(default_factory=dict)
    _ids: int = 0

    def new_id(self) -> str:
        """Return the next generated id."""
        self._ids += 1
        return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{self.title}/{self._ids}")).upper()

    def add(self, name: str, **parameters: Value) -> Mapping:
        """Append an action, and return the token of its output."""
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
        """Append an action unchanged."""
        self.actions.append(
            {
                "WFWorkflowActionIdentifier": identifier,
                "WFWorkflowActionParameters": parameters,
            }
        )

    def control(self, name: str, group: str, mode: Value, **parameters: Value) -> None:
        """Append an action that opens (0), divides (1) or closes (2) a block."""
        self.raw(
            SYSTEM + name,
            {"GroupingIdentifier": group, "WFControlFlowMode": mode, **parameters},
        )

    def build(self) -> Mapping:
        """Return the root mapping of the finished shortcut."""
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
