"""Choose what writes the texts of a run: a model at an endpoint, a local model, or templates."""

import os
from pathlib import Path
from typing import Literal, get_args

import msgspec

from benchloom.core.errors import RunError
from flows.stages.generate.outcome import GenerateProgress, Outcome
from flows.stages.generate.plan import Endpoint, GeneratePlan
from flows.stages.generate.run import run_template
from prompts.endpoint.limits import named_address
from prompts.endpoint.local import LOCAL, Weights, can_run_locally, find_weights

WriterName = Literal["auto", "llm", "local", "template"]


class Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """The chosen writer of a run, and why it was chosen; `model` is None for templates."""

    writer: Literal["llm", "local", "template"]
    why: str
    model: str | None = None
    weights: Weights | None = None

    def line(self) -> str:
        """Return the chosen writer and the reason in one line."""
        model_note = "" if self.model is None else f" ({self.model})"
        return f"writer: {self.writer}{model_note}, {self.why}"


def choose_writer(
    writer: str,
    model: str,
    *,
    model_file: Path | None = None,
    base_url: str | None = None,
    max_usd: float | None = None,
) -> Chosen:
    """Return the requested writer or, for `auto`, the best writer that is available.

    `auto` chooses a model at an endpoint if an address is named, or if both a key and a maximum
    cost are set. Otherwise it chooses the local model if its extra and weights are installed, and
    templates if they are not. For every writer except `template`, a model file means a local model,
    and so does the model name `local` if `base_url` is None.

    Raises:
        RunError: the writer is unknown, or the local model is missing.
    """
    if writer not in get_args(WriterName):
        raise RunError(f"unknown writer '{writer}'; known: {', '.join(get_args(WriterName))}")
    if writer == "template":
        return Chosen(writer="template", why="as requested")
    if writer == "local" or model_file is not None or (model == LOCAL and base_url is None):
        return _local(model_file, "as requested")
    if writer == "llm":
        return Chosen(writer="llm", model=model, why="as requested")
    if named_address(base_url) is not None:
        return Chosen(writer="llm", model=model, why="since an endpoint has an address")
    is_authorised = bool(os.environ.get("OPENAI_API_KEY"))
    if is_authorised and max_usd is not None:
        return Chosen(writer="llm", model=model, why="since OPENAI_API_KEY is set")
    lacking = (
        "OPENAI_API_KEY is set without a cap in max_usd" if is_authorised else "there is no key"
    )
    if can_run_locally():
        return _local(None, f"since {lacking} and the extra 'local' is installed")
    return Chosen(writer="template", why=f"since {lacking} and the extra 'local' is not installed")


def _local(model_file: Path | None, why: str) -> Chosen:
    weights = find_weights(model_file)
    return Chosen(writer="local", model=weights.model, weights=weights, why=why)


def run_plan(
    plan: GeneratePlan, out: Path, endpoint: Endpoint, progress: GenerateProgress, workers: int
) -> Outcome:
    """Write the rows of a plan with its model, or with templates if it names no model.

    Raises:
        BudgetError: the maximum cost was reached; finished work is kept, and a rerun continues.
        EndpointError: the endpoint refuses the run.
    """
    if plan.model is None:
        return run_template(plan, out, progress, workers)
    from flows.stages.generate.model import run_model  # templates need no client and no ledger

    return run_model(plan, out, endpoint, progress, workers)
