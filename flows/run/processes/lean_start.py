"""Imported before all else by the server that workers are forked from: no worker loads pandas."""

from flows.run.processes.lean_arrow import few_arenas, slim_arrow

slim_arrow()
few_arenas()
