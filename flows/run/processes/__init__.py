"""Start the server from which worker processes are forked, so that they share its imports.

This module itself imports little, because a command starts the server before it imports the modules
that it needs.
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
"""The modules that the server from which workers are forked imports, in this order. They import
most of the code that any stage needs; a worker imports other modules when it needs them."""


def forked_context() -> ForkServerContext:
    """Return the `multiprocessing` context that forks workers from a server without threads.

    The server imports the modules once for all workers.
    """
    context = get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    return context


def start_early(workers: int, stage: str) -> None:
    """Start the server that forks workers, and let it import a stage as this process does, too.

    `stage` is the name of a module. With one worker no server is started.
    """
    if workers > 1:
        get_context("forkserver").set_forkserver_preload([LEAN, stage])
        forkserver.ensure_running()
