"""The tool by which an agent answers a user of several turns, for clients that only know tools."""

import msgspec

from benchloom.worlds.offers import Offer, OfferedTool

REPLY = "reply_to_user"
OVER = "The user has nothing more to say."
"""The result of the reply to the user's last turn."""
_TOOL = OfferedTool(
    REPLY,
    "",
    "Say something to the user and return what the user says next.",
    {
        "type": "object",
        "properties": {"message": {"type": "string", "description": "the words to the user"}},
        "required": ["message"],
        "additionalProperties": False,
    },
    {"type": "string"},
    reads=False,
)


def with_replies(offer: Offer) -> Offer:
    """Add the tool `reply_to_user` to an offer whose task has further turns of the user."""
    if offer.task is None or len(offer.task.turns) == 1:
        return offer
    return msgspec.structs.replace(offer, tools={**offer.tools, REPLY: _TOOL})
