"""Select the tools that an agent is offered for a task."""

from benchloom.worlds.offers import Offer, offer_of
from benchloom.worlds.suites import SUITES
from benchloom.worlds.task import Task


def offer_of_task(task: Task, distractors: int | None = None) -> Offer:
    """Return the world of a task with the offered tools.

    Raises:
        RunError: there is no such world.
    """
    world = SUITES.find(task.suite).world(task.start)
    offered_tools = task.tools
    if distractors is not None:
        left_out = set(task.distractors[max(0, distractors) :])
        offered_tools = tuple(tool for tool in offered_tools if tool not in left_out)
    return offer_of(world, offered_tools, task)
