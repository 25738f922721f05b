"""A panel consists of several judges of faithfulness, which judge the same texts separately.

A panel file sets a model for each judge. It may also replace the usual rules for a judge.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from benchloom.core.errors import RunError
from benchloom.release.review import is_name
from flows.stages.generate.model import run_model
from flows.stages.generate.outcome import GenerateProgress, Outcome
from flows.stages.generate.plan import LOG, Endpoint, GeneratePlan, folders_for_step
from flows.stages.generate.writers import choose_writer
from prompts.endpoint.limits import DEFAULT_MODEL
from prompts.exchange import Effort, request_fields_fault
from prompts.ledger.prices import MAX_USD
from prompts.steps import Sampling, Wording
from prompts.steps.faithfulness import STEP

MAX_BYTES = 64 * 1024
"""Maximum size of a panel file and of a file of rules, in bytes."""


class JudgeOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of one judge of a panel, such as its model and its endpoint.

    `rules` names a file with rules that replace the usual rules for this judge.
    """

    model: str = DEFAULT_MODEL
    base_url: str | None = None
    rules: str | None = None
    max_usd: Annotated[float, msgspec.Meta(ge=0, le=MAX_USD)] | None = None
    temperature: Annotated[float, msgspec.Meta(ge=0, le=2)] | None = None
    batch: bool = False
    reply_tokens: Annotated[int, msgspec.Meta(ge=16, le=1_000_000)] | None = None
    reasoning_effort: Effort | None = None
    request_fields: str | None = None


class _Panel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    judges: dict[str, JudgeOptions]


class JudgeRun(msgspec.Struct, frozen=True, kw_only=True):
    """The finished run of one judge; its verdicts are in `folder`."""

    judge: str
    folder: str
    outcome: Outcome


def read_panel(path: Path) -> dict[str, JudgeOptions]:
    """Read a panel file, and return a mapping from the name of each judge to its options.

    The judges are in the order of the file. Their `rules` contain the content of the named files.

    Raises:
        RunError: the panel file, or a file that it names, cannot be read, or the panel file names
            fewer than two judges.
    """
    try:
        panel = msgspec.convert(tomllib.loads(_read(path)), _Panel)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, RecursionError) as error:
        raise RunError(f"{path}: {error}") from error
    wrong = [name for name in panel.judges if not is_name(name)]
    if wrong or len(panel.judges) < 2:
        fault = (
            f"'{wrong[0]}' is not a valid name; use small letters, digits, - and _"
            if wrong
            else "the file defines fewer than two judges"
        )
        raise RunError(f"{path}: {fault}; a panel needs at least two tables [judges.NAME]")
    for name, options in panel.judges.items():
        if (text := options.request_fields) and (wrong_fields := request_fields_fault(text)):
            raise RunError(f"{path}: request_fields of '{name}': {wrong_fields}")
        if options.rules is not None:
            rules = _read(path.parent / options.rules).strip()
            panel.judges[name] = msgspec.structs.replace(options, rules=rules)
    return panel.judges


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise RunError(f"{path}: {error.strerror or error}") from error
    if len(content) > MAX_BYTES:
        raise RunError(f"{path}: the file is larger than {MAX_BYTES >> 10} KiB; shorten it")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RunError(f"{path}: the file is not UTF-8; save it as UTF-8") from error


def ask_panel(
    panel: Mapping[str, JudgeOptions], folders: Sequence[Path], out: Path, workspace: Path
) -> Iterator[JudgeRun]:
    """Let each judge of a panel judge all texts in the folders, one judge after another.

    The verdicts of the judge NAME are written to `out/NAME`.

    Raises:
        BudgetError: a maximum cost was reached; finished work is kept, and a rerun continues.
        RunError: the folders lack the texts, or a judge cannot be used.
    """
    with folders_for_step(STEP.name, folders) as source:
        for name, options in panel.items():
            chosen = choose_writer("llm", options.model, base_url=options.base_url)
            plan = GeneratePlan(
                step=STEP.name,
                source=source,
                model=chosen.model,
                temperature=options.temperature,
                wording=Wording(name, options.rules or ""),
                sampling=Sampling(every_text=True),
                reply_tokens=options.reply_tokens,
                reasoning_effort=options.reasoning_effort,
                request_fields=options.request_fields,
            )
            endpoint = Endpoint(
                log=workspace / LOG,
                base_url=options.base_url,
                weights=chosen.weights,
                max_usd=options.max_usd,
                batch=options.batch,
            )
            progress = GenerateProgress(f"judge {name}", plan.rows())
            outcome = run_model(plan, out / name, endpoint, progress)
            yield JudgeRun(judge=name, folder=str(out / name), outcome=outcome)
