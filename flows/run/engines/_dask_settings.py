"""This module changes Dask's settings for our runs.

It must be imported before `distributed`, which sets up its logging while it is imported.
"""

import dask

_LOGGERS = ("distributed", "distributed.client", "distributed.worker", "tornado")
# Our own lines report the events of a cluster.
dask.config.set({"logging": dict.fromkeys(_LOGGERS, "critical")})
OWN_CLUSTER = {
    # No dashboard; and no shard is queued behind another shard that may kill the worker.
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    # The fork server replaces a lost worker within 0.1 s.
    "distributed.worker.multiprocessing-method": "forkserver",
    "distributed.scheduler.worker-saturation": 1.0,
}
"""Settings of the Dask cluster that a run starts on this machine."""
