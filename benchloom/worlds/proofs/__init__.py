"""Check candidate tasks: replay the plan to show that each of its calls is needed.

A candidate becomes a task if its plan runs, two runs give the same result, doing nothing is not
enough, and every value comes from the user's text, the clock or an earlier result. The task
also records which calls and arguments matter, which orders of calls end in the same state, and
which other tools would serve equally well.
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
