"""Provide a sample of the dialogue step, in which a tool is searched for and called."""

import msgspec

from prompts.steps.dialogue import DialogueInput
from prompts.talks.dialogue_roles import ApisReply, CallsReply, DomainReply, QueryReply, TesterReply
from prompts.tools.call_sequence import CallReply
from prompts.tools.search import KeywordSearcher
from prompts.tools.tool import Tool, ToolField, ToolParameter
from tests.prompts.samples.base import Sample


def _sample() -> Sample[DialogueInput]:
    lamp = Tool(
        "home.lamp",
        "Switch lamp",
        "Switches a lamp in a room on or off",
        (
            ToolParameter("room", "string"),
            ToolParameter("state", "string", values=("on", "off")),
        ),
        (ToolField("done", "boolean"),),
    )
    blinds = Tool("home.blinds", "Move blinds", "Opens or closes blinds in a room")
    calls = msgspec.convert(
        [
            {
                "name": "home.lamp",
                "label": "var1",
                "arguments": [
                    {"name": "room", "value": "hall"},
                    {"name": "state", "value": "off"},
                ],
            }
        ],
        tuple[CallReply, ...],
    )
    replies = (
        DomainReply("life at home", "someone already lies in bed and the hall is still lit"),
        ApisReply(("home.lamp",)),
        QueryReply("Could you turn the light in the hall off for me?"),
        CallsReply("switch lamp room off", calls, "The hall lamp is off now."),
        TesterReply(why="All fits.", accepted=True),
    )
    tools = (lamp, blinds)
    return Sample(
        DialogueInput("Retrieve+Call", tools, KeywordSearcher(tools)),
        tuple(msgspec.json.encode(reply).decode() for reply in replies),
        lamp.description,
    )


SAMPLE = _sample()
