"""The settings of a text-generating run and of its endpoint, and the digests of these settings."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.identity import ALGORITHM, digest_of_parts
from benchloom.core.records import Rejected
from benchloom.storage.inputs import nothing_in
from benchloom.storage.seals import file_digest
from benchloom.storage.tables import row_count, table_parts
from flows.run.finished import stage_in
from prompts.columns import definitions_folder
from prompts.endpoint.limits import POLL_SECONDS, Limits
from prompts.endpoint.local import Weights
from prompts.exchange import Effort
from prompts.ledger.prices import PRICES
from prompts.results.attempts import Attempts, repeatable_steps
from prompts.results.rows import AnyCase, distinct_cases
from prompts.steps import STEPS, AnyStep, Sampling, Wording

_OPTIONAL = ("api_definitions", "dialogues")

LOG = "completions.sqlite"
"""File name of the completion log of a workspace, which is also its ledger."""


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """The endpoint of a run, the limits of its use, and its maximum cost.

    `log` is the completion log. `ledger` is the file in which the cost is recorded; None means
    `log` itself. A workspace has one ledger, even if its runs keep separate logs. With `weights`
    the run starts a server for these model weights. A `free` endpoint costs nothing, whatever the
    name of the model.
    """

    log: Path
    ledger: Path | None = None
    base_url: str | None = None
    weights: Weights | None = None
    limits: Limits = Limits()
    prices: Path = PRICES
    max_usd: float | None = None
    free: bool = False
    batch: bool = False
    poll_seconds: float = POLL_SECONDS


class GeneratePlan(msgspec.Struct, frozen=True, kw_only=True):
    """The settings for a run of a text-generating step over the rows of an input folder.

    `model` is None for the template writer. `wording` is the text of the rules for one judge of a
    panel. `reply_tokens`, `reasoning_effort` and `request_fields` (a JSON object) apply to every
    request; None means the step's limit and the model's usual effort. `attempts` is the maximum
    number of texts written until one is accepted.
    """

    step: str
    source: Path
    model: str | None = None
    temperature: float | None = None
    seed: int | None = None
    sampling: Sampling = Sampling()
    wording: Wording | None = None
    reply_tokens: int | None = None
    reasoning_effort: Effort | None = None
    request_fields: str | None = None
    attempts: Attempts = Attempts()

    def __post_init__(self) -> None:
        """Raise if several attempts at a text are requested but would change nothing."""
        if self.attempts == Attempts():
            return
        if self.step not in (steps := repeatable_steps()):
            raise RunError(
                f"'{self.step}' supports neither candidates nor a repair turn; steps that do: "
                f"{', '.join(steps)}"
            )
        if self.attempts.candidates > 1 and self.temperature == 0:
            raise RunError("all candidates would be equal at temperature 0; omit --temperature")

    def definition(self) -> AnyStep:
        """Return the step object of this plan."""
        if self.wording is None:
            return STEPS.find(self.step)
        from prompts.steps.faithfulness import FaithfulnessStep  # only this step has wordings

        return FaithfulnessStep(self.wording)

    def stage(self) -> str:
        """Return the name of the stage in `stage.json`."""
        return f"generate-{self.step}"

    def tables(self) -> tuple[str, ...]:
        """Return the names of the tables that the stage writes."""
        return (
            ("verdicts", "rejected")
            if self.definition().judges
            else ("queries", "verdicts", "rejected")
        )

    def job(self) -> str:
        """Return the digest of step, input and model; runs with the same digest share a budget."""
        return digest_of_parts("job", [self.step, self.model or "", *self._input_digests()])

    def decides(self) -> list[str]:
        """Return everything that determines the rows, apart from the replies and our code."""
        # The content of the input counts, not its path: `job` contains the digests of the tables.
        settings = msgspec.json.encode(msgspec.structs.asdict(self) | {"source": None}).decode()
        return [self._step_type(), self.definition().version, settings, self.job()]

    def rules(self) -> list[str]:
        """Return everything that determines the text about a row, except the row and our code."""
        return [self.stage(), self._step_type(), self.definition().version]

    def _step_type(self) -> str:
        step = type(self.definition())
        return f"{step.__module__}:{step.__qualname__}"

    def _input_digests(self) -> Iterator[str]:
        """Yield names and digests of the input tables, after checking that they are unchanged."""
        stage_in(self.source)
        reads = self.definition().reads
        for table in tables_read(self.definition()):
            parts = table_parts(self.source, table) or self._of_workspace(table)
            if not parts and table in reads:
                raise nothing_in(
                    self.source,
                    f"{self.source} contains no {table}.parquet, which '{self.step}' reads; pass "
                    f"the folder of a stage with --in",
                )
            for part in parts:
                yield part.name
                yield f"file:{ALGORITHM}:{file_digest(part)}"

    def _of_workspace(self, table: str) -> list[Path]:
        """Return the files of `api_definitions` that a step about shortcuts also reads.

        They are in the input folder or in another stage of the workspace. The list is empty for
        other tables and other steps.
        """
        defining = definitions_folder(self.source) if table == "api_definitions" else None
        reads_shortcuts = "shortcuts" in self.definition().reads
        return table_parts(defining, table) if defining is not None and reads_shortcuts else []

    def rows(self) -> int:
        """Return the number of rows to make: one for each input row, or the number of samples."""
        table = self.definition().reads[0]
        if table == "api_definitions":
            return self.sampling.count
        return sum(row_count(part) for part in table_parts(self.source, table))


def tables_read(step: AnyStep) -> tuple[str, ...]:
    """Return the names of the tables that a step reads, including optional ones."""
    return tuple(dict.fromkeys((*step.reads, *step.also_reads, *_OPTIONAL)))


def cases_of(plan: GeneratePlan) -> Iterator[AnyCase | Rejected]:
    """Yield a case (the input of one text), or a rejected row, for each input row, in order.

    Of several rows with the same id only the first is used.
    """
    return distinct_cases(plan.definition(), plan.source, plan.sampling)


@contextmanager
def folders_for_step(step: str, folders: Sequence[Path]) -> Iterator[Path]:
    """Yield one folder with those tables of the given folders that the step reads.

    A single folder is yielded unchanged. For several folders, a new folder with links to their
    files is yielded, and removed when the block ends. The links are named by their order alone, so
    that the digests of the input do not depend on the names of the folders.

    Raises:
        RunError: a folder is damaged, or the step is unknown.
    """
    if len(folders) == 1:
        yield folders[0]
        return
    tables = tables_read(STEPS.find(step))
    with tempfile.TemporaryDirectory(prefix="benchloom-") as name:
        linked = Path(name)
        for folder in folders:
            stage_in(folder)
        for table in tables:
            parts = [part for folder in folders for part in table_parts(folder, table)]
            if parts:
                (linked / table).mkdir()
            for number, part in enumerate(parts):
                (linked / table / f"{table}-{number:05d}.parquet").symlink_to(part.resolve())
        yield linked
