"""The names of Prefect that flows use, imported after our settings of Prefect are applied.

Flows import these names from here, so that our settings apply before the first import of Prefect.
"""

import flows.engine.prefect_settings  # isort: skip  settings before Prefect
from prefect import Flow, flow, task
from prefect.cache_policies import NO_CACHE
from prefect.futures import wait
from prefect.states import Failed

__all__ = ["NO_CACHE", "Failed", "Flow", "flow", "flows", "task", "wait"]
