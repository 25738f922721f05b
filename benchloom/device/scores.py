"""Score a shortcut on a task by its effects on the device."""

from benchloom.core.records import Shortcut
from benchloom.device.runs import execution_row
from benchloom.worlds.runs.scoring import AgentRun, RunCall, Score, score_of
from benchloom.worlds.suites import SUITES
from benchloom.worlds.suites.phone.orders import orders_of
from benchloom.worlds.task import Task


def score_shortcut(task: Task, shortcut: Shortcut) -> Score:
    """Run a shortcut with simulated answers and score its effects like the calls of an agent.

    If the run stops early, the effects before the stop are scored.

    Raises:
        RunError: the world of the task does not exist.
    """
    return score_of(task, SUITES.find(task.suite).world(task.start), run_as_agent(shortcut))


def run_as_agent(shortcut: Shortcut) -> AgentRun:
    """Run a shortcut with simulated answers, and return its effects as the calls of an agent."""
    orders = orders_of(execution_row(shortcut).effects)
    return AgentRun(tuple(RunCall(order.call.tool, order.call.arguments) for order in orders))
