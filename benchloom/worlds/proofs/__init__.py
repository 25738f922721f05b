"""Check candidates for tasks by replaying their plans, the calls that fulfil the user's request.

A candidate becomes a task if its plan runs, two runs give the same result, the task is not solved
without any call, and every value comes from the user's text, the clock, a default or an earlier
result. The task also records which calls and arguments matter, how many orders of the calls end in
the same state, and which other tools solve the task, too.
"""

from benchloom.worlds.proofs.open_worlds import OpenWorlds
from benchloom.worlds.proofs.prove import confirm, prove, prove_again
from benchloom.worlds.proofs.rows import row_of, task_of

__all__ = [
    "OpenWorlds",
    "confirm",
    "prove",
    "prove_again",
    "row_of",
    "task_of",
]
