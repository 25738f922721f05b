"""What commands import, imported once: processes of commands and of shards are forked from it.

Its import takes seconds; only multiprocessing's fork server does it. What decides the rows of each
stage is read there as well, which takes a command two seconds, and what was made until then is left
alone by the collector, which would go through all of it in every process. Templates of pages are
compiled.
"""

import gc

import fastapi.encoders
import matplotlib.backends.backend_agg
import matplotlib.figure
import matplotlib.image
import matplotlib.ticker
import openai.resources.chat.completions
import pandas
import prefect.client.orchestration
import prefect.events.clients
import pyarrow.parquet

import flows.cli
import flows.commands.crawl
import flows.commands.release
import flows.engine.running
import flows.errors
import flows.rebuild
from benchloom.release.describing import pages
from tests.stage_keys import closures

__all__ = ["fastapi", "flows", "matplotlib", "openai", "pandas", "prefect", "pyarrow"]

closures()
for template in pages.TEMPLATES.glob("*.j2"):
    pages._environment().get_template(template.name)
gc.collect()
gc.freeze()
