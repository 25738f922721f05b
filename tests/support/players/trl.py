"""Play a task in an environment of TRL."""

from benchloom.worlds.runs.offered_tools import REPLY
from benchloom.worlds.servers.trl import TrainingTasks, _python_name
from benchloom.worlds.task import Task
from tests.support.players.moves import Moves


def play(client: None, task: Task, moves: Moves) -> float:
    """Return the reward of an attempt with these moves."""
    del client
    training = TrainingTasks([task])
    (row,) = training.rows()
    environment = training.environments[str(row["environment"])]()
    environment.reset(task.task_id, prompt=row["prompt"])
    for text in moves.texts[:-1]:
        getattr(environment, REPLY)(message=text)
    for name, arguments in moves.calls:
        python_arguments = {_python_name(argument): value for argument, value in arguments.items()}
        getattr(environment, name)(**python_arguments)
    (reward,) = training.reward(
        [environment], [[{"role": "assistant", "content": moves.texts[-1]}]]
    )
    return reward
