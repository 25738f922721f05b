"""This module reduces the memory of all worker processes, for example by blocking pandas.

The server from which workers are forked imports it first.
"""

from flows.run.processes.lean import limit_arenas, skip_pandas

skip_pandas()
limit_arenas()
