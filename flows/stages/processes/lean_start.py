"""Imported before all else by the server that workers are forked from: no worker loads pandas."""

from flows.stages.processes.lean_arrow import slim_arrow

slim_arrow()
