"""Imported first by the server that workers are forked from: keeps pandas out of all workers."""

from flows.run.processes.lean import few_arenas, slim_arrow

slim_arrow()
few_arenas()
