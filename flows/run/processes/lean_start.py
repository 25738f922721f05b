"""Imported first by the server that workers are forked from: keeps pandas out of all workers."""

from flows.run.processes.lean import limit_arenas, skip_pandas

skip_pandas()
limit_arenas()
