"""Select the tools that an agent gets for a task, and the tool for replies to the user."""

from typing import Literal, TypeAlias

import msgspec

from benchloom.worlds.offers import Offer, OfferedTool, offer_of
from benchloom.worlds.suites import SUITES
from benchloom.worlds.task import Task

REPLY = "reply_to_user"
Replies: TypeAlias = Literal["none", "turns", "always"]
"""When the tool for replies is offered: never, if the user has several turns, or always."""
OVER = "The user has nothing more to say."
"""The result of a reply to the user's last turn."""
ENDING = f"Answer the user with {REPLY}; the task ends with the reply to the user's last turn."
"""The instruction for an agent whose attempt ends with a call of the tool for replies."""
_TOOL = OfferedTool(
    REPLY,
    "",
    "Send a message, such as the answer, to the user and return the user's next turn.",
    {
        "type": "object",
        "properties": {"message": {"type": "string", "description": "the message to the user"}},
        "required": ["message"],
        "additionalProperties": False,
    },
    {"type": "string"},
    reads=False,
)


def with_replies(offer: Offer, replies: Replies) -> Offer:
    """Add the tool `reply_to_user` to an offer, if `replies` and the user's turns require it."""
    turns = 0 if offer.task is None else len(offer.task.turns)
    if replies == "none" or turns < (2 if replies == "turns" else 1):
        return offer
    return msgspec.structs.replace(offer, tools={**offer.tools, REPLY: _TOOL})


def offer_of_task(
    task: Task, distractors: int | None = None, *, replies: Replies = "none"
) -> Offer:
    """Return the world of a task, and the tools that the agent gets.

    `distractors` is the maximum number of tools that the task does not need; by default the agent
    gets all tools that the task lists. `replies` adds the tool `reply_to_user`, for clients that
    can only call tools.

    Raises:
        RunError: there is no such world.
    """
    world = SUITES.find(task.suite).world(task.start)
    offered_tools = task.tools
    if distractors is not None:
        left_out = set(task.distractors[max(0, distractors) :])
        offered_tools = tuple(tool for tool in offered_tools if tool not in left_out)
    return with_replies(offer_of(world, offered_tools, task), replies)
