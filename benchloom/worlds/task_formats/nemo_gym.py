"""Export tasks as rows for NeMo Gym, and for verifiers (NeMoGymTaskset).

The column `responses_create_params` is a request of the Responses API. Clients send all other
columns back unchanged to `/seed_session` and `/verify`, where `task_id` selects the task.
"""

from benchloom.core.records.values import Plain
from benchloom.worlds.offers import Offer
from benchloom.worlds.task import Task
from benchloom.worlds.task_formats.base import RowFormat, facts_of


class NemoGym(RowFormat):
    """A format whose rows have the user's first turn and the functions that the agent may call."""

    title = "Tasks for NeMo Gym and verifiers; `world serve --protocol nemo-gym` scores them"

    def row(self, task: Task, offer: Offer) -> dict[str, Plain]:
        """Return the row of a task, without its plan and its answer."""
        tools: list[Plain] = [
            {"type": "function", **tool.described(), "strict": False}
            for tool in offer.tools.values()
        ]
        return {
            "responses_create_params": {
                "input": [
                    {"role": "system", "content": task.instructions(offer.world.now)},
                    {"role": "user", "content": task.turns[0]},
                ],
                "tools": tools,
            },
            **facts_of(task),
        }


FORMAT = NemoGym()
