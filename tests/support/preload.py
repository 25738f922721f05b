"""Import the modules that commands and workers need, before their processes are forked.

The import takes seconds, and only multiprocessing's fork server does it. It also reads what
determines the rows of each stage, the members of kinds, the language model and the token tables,
which would take each command about a second, and compiles the templates of pages. The garbage
collector then ignores all existing objects, which it would otherwise visit in every process.
"""

import gc
import os
import pkgutil
from importlib import import_module

import anyio._backends._asyncio
import fastapi.encoders
import openai.resources.chat.completions
import pandas
import prefect.client.orchestration
import prefect.events.clients
import prefect.flow_engine
import prefect.task_engine
import prefect.utilities.visualization
import pyarrow.dataset
import pyarrow.parquet
from prefect.logging.configuration import setup_logging
from prefect.settings import get_current_settings

import flows.cli
import flows.commands
import flows.engine.command_runs
import flows.errors
import flows.rebuild
from benchloom.normalise.redaction.texts import scan_text
from benchloom.normalise.shortcuts.languages import language_of
from benchloom.release.descriptions import pages
from benchloom.release.documents import DOCUMENTS
from benchloom.release.gates import GATES
from benchloom.release.sections import SECTIONS
from flows.engine.single import FLOWS
from parsers.definitions import DEFINITION_FORMATS
from prompts.checks import CHECKS
from prompts.endpoint.usage import count_tokens
from prompts.steps import STEPS
from tests.support.commands import skip_syncs

__all__ = [
    "anyio",
    "fastapi",
    "flows",
    "openai",
    "pandas",
    "prefect",
    "pyarrow",
]


def logging_settings() -> tuple[object, ...]:
    """Return Prefect's settings of logging and the variables that override them."""
    settings = get_current_settings()
    overrides = {name: os.environ[name] for name in os.environ if name.startswith("PREFECT_LOG")}
    return overrides, settings.logging, settings.internal, settings.server.logging_level


skip_syncs()
setup_logging()
LOGGING = logging_settings()
for template in pages.TEMPLATES.glob("*.j2"):
    pages._environment().get_template(template.name)
for command in pkgutil.iter_modules(flows.commands.__path__):
    import_module(f"{flows.commands.__name__}.{command.name}")
for members in (CHECKS, DEFINITION_FORMATS, DOCUMENTS, FLOWS, GATES, SECTIONS, STEPS):
    members.all()
scan_text("Call +49 30 1234567, or (030) 123 45 67")
language_of("Which language is this?")
count_tokens("How many tokens are these?")
gc.collect()
gc.freeze()
