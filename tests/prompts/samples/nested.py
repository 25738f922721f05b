"""Provide a sample of the nested step, which finds a garden and then its opening hours."""

import msgspec

from prompts.steps.nested import NestedInput, NestedReply
from prompts.tools.call_sequence import CallReply
from prompts.tools.tool import Tool, ToolField, ToolParameter
from tests.prompts.samples.base import Sample


def _sample() -> Sample[NestedInput]:
    find = Tool(
        "gardens.find",
        "Find garden",
        "Finds a public garden in a town",
        (ToolParameter("town", "string"),),
        (ToolField("garden_id", "GardenEntity"),),
    )
    hours = Tool(
        "gardens.hours",
        "Opening hours",
        "Tells when a garden is open",
        (ToolParameter("garden_id", "GardenEntity"), ToolParameter("day", "string")),
        (ToolField("opens", "string"),),
    )
    reply = NestedReply(
        (
            msgspec.convert(
                {
                    "name": "gardens.find",
                    "label": "var1",
                    "arguments": [{"name": "town", "value": "Nordhafen"}],
                },
                CallReply,
            ),
            msgspec.convert(
                {
                    "name": "gardens.hours",
                    "label": "var2",
                    "arguments": [
                        {"name": "garden_id", "value": "$var1.garden_id$"},
                        {"name": "day", "value": "Sunday"},
                    ],
                },
                CallReply,
            ),
        ),
        "When does the public garden in Nordhafen open on Sunday?",
    )
    return Sample(
        NestedInput((find, hours)), (msgspec.json.encode(reply).decode(),), hours.description
    )


SAMPLE = _sample()
