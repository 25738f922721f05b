"""Select the tools that an agent is offered for a task."""

from benchloom.worlds.offers import Offer, offer_of
from benchloom.worlds.runs.replies import Replies, with_replies
from benchloom.worlds.suites import SUITES
from benchloom.worlds.task import Task


def offer_of_task(
    task: Task, distractors: int | None = None, *, replies: Replies = "none"
) -> Offer:
    """Return the world of a task with the offered tools.

    `replies` adds the tool `reply_to_user`, for clients that know only tools.

    Raises:
        RunError: there is no such world.
    """
    world = SUITES.find(task.suite).world(task.start)
    offered_tools = task.tools
    if distractors is not None:
        left_out = set(task.distractors[max(0, distractors) :])
        offered_tools = tuple(tool for tool in offered_tools if tool not in left_out)
    return with_replies(offer_of(world, offered_tools, task), replies)
