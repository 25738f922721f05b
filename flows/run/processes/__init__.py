"""Worker processes that make shards: how they start, what they import, what memory they use.

This module imports little, because a command calls it before the command's own imports: it starts
the server from which workers are forked.
"""

from multiprocessing import forkserver, get_context
from multiprocessing.context import ForkServerContext

LEAN = "flows.run.processes.lean_start"
PRELOADED = [
    LEAN,
    "flows.run.processes.preloaded",
    "flows.stages.shortcuts.enrich",
    "flows.stages.shortcuts.parse",
]
"""Modules that the server from which workers are forked imports, in this order. They import most of
the code that any stage needs; a worker imports the rest."""


def forked_context() -> ForkServerContext:
    """Return the `multiprocessing` context that forks workers from a server without threads.

    The server imports the modules once for all workers.
    """
    context = get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    return context


def start_early(workers: int, stage: str) -> None:
    """Let the server import the stage to run, while this process imports it too.

    With one worker there is no server.
    """
    if workers > 1:
        get_context("forkserver").set_forkserver_preload([LEAN, stage])
        forkserver.ensure_running()
