"""The names of Prefect that flows use, such as `flow` and `task`.

Flows import these names from here and not from Prefect, because benchloom's settings for Prefect
must be applied before Prefect is first imported.
"""

import flows.engine.prefect_settings  # isort: skip  settings before Prefect
from prefect import Flow, flow, task
from prefect.cache_policies import NO_CACHE
from prefect.futures import wait
from prefect.states import Failed

__all__ = ["NO_CACHE", "Failed", "Flow", "flow", "flows", "task", "wait"]
