"""What commands import, imported once: processes of commands and of shards are forked from it.

Its import takes seconds; only multiprocessing's fork server does it.
"""

import matplotlib.backends.backend_agg
import matplotlib.image
import matplotlib.ticker
import openai.resources.chat.completions
import prefect.client.orchestration
import prefect.events.clients
import pyarrow.parquet

import flows.cli
import flows.commands.crawl
import flows.commands.release
import flows.engine.running
import flows.errors
import flows.rebuild

__all__ = ["flows", "matplotlib", "openai", "prefect", "pyarrow"]
