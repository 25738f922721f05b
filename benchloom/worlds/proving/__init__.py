"""Proofs of tasks: a candidate is replayed until it is known what each of its calls is for.

A candidate becomes a task when its plan runs, runs twice alike, cannot be left out as a whole, and
takes every value from what the user says, from the clock or from an earlier result. What else is
found of it, which calls and arguments matter, which orders end alike and which tools would do as
well, is written down in the task.
"""

from benchloom.worlds.proving.ground import Grounds, open_world
from benchloom.worlds.proving.prove import candidate_of, confirm, prove, prove_again
from benchloom.worlds.proving.rows import row_of, task_of

__all__ = [
    "Grounds",
    "candidate_of",
    "confirm",
    "open_world",
    "prove",
    "prove_again",
    "row_of",
    "task_of",
]
