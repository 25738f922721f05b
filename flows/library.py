"""The functions of `import benchloom`, with which Python programs read, run and score data.

    release = benchloom.load("workspace/releases/0.1.0")
    shortcuts = release.pandas("shortcuts", split="train")
    for row in release.rows("trl", split="train"):
        print(row["messages"])

The package `benchloom` imports this module when one of the functions is first used.
"""

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from benchloom.core.errors import RunError
from benchloom.core.records import Dialogue, PlanningPath, Rejected, Shortcut

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from benchloom.core.records.values import Plain
    from benchloom.device.comparison import Comparison
    from benchloom.device.runs import Execution
    from benchloom.evaluate.benchmark import Rules
    from benchloom.evaluate.scoring import Summary
    from benchloom.release.manifest import Manifest
    from benchloom.worlds.offers import Offer
    from benchloom.worlds.runs.scoring import Score
    from benchloom.worlds.servers.trl import TrainingTasks
    from benchloom.worlds.session import Outcome
    from benchloom.worlds.task import Task

HUB = "hf://datasets/"
SPLITS = ("train", "validation", "test", "unsplit")
WORKSPACE = Path("workspace")


def load(release: "str | Path | None" = None, *, workspace: "str | Path" = WORKSPACE) -> "Release":
    """Open a release in a folder, at a URL or on the Hugging Face Hub.

    `release` may also be a version in the workspace, such as "0.1.0".

        benchloom.load()                                  # the newest release of the workspace
        benchloom.load("demo-output/releases/0.1.0")
        benchloom.load("hf://datasets/OWNER/NAME@v0.1.0")  # needs the extra hub

    Raises:
        RunError: there is no such release, or an extra is missing.
    """
    from benchloom.release.versions import release_folder
    from scrapers.mirrors import read_here

    text = str(release or "")
    if text.startswith(HUB):
        return Release(_from_hub(text.removeprefix(HUB)))
    if release is None or "://" not in text:
        folder = None if release is None else Path(release)
        return Release(release_folder(folder, Path(workspace)))
    with read_here([text], Path(workspace)) as paths:
        return Release(paths[0])


def parse(shortcut: "str | Path | bytes") -> Shortcut:
    """Read a shortcut from a file of any format, or from the bytes of a file.

    Raises:
        RejectedInputError: the file is damaged or contains no shortcut. The field `reason` is a
            word that `benchloom reasons` explains.
        OSError: the file cannot be read.
    """
    from benchloom.core.errors import RejectedInputError
    from parsers.shortcuts import parse_shortcut

    if isinstance(shortcut, bytes):
        return parse_shortcut(shortcut, "bytes")
    try:
        return parse_shortcut(Path(shortcut).read_bytes(), str(shortcut))
    except RejectedInputError as error:
        raise RejectedInputError(error.reason, f"{shortcut}: {error.message}") from error


def run_shortcut(
    shortcut: "str | Path | bytes | Shortcut",
    *,
    answers: "Mapping[str | int, Sequence[Plain]] | str | Path | None" = None,
    input: "Plain" = None,  # noqa: A002  the name of the option
    others: "Iterable[str | Path] | Mapping[str, Shortcut]" = (),
) -> "Execution":
    """Run a shortcut on a simulated device.

    The result has `outcome`, `output`, `trace`, `effects` and the final `state` of the device.

    Args:
        shortcut: a file of any format, its bytes, or the result of `parse`.
        answers: a mapping from step numbers to the answers to the step's questions, in their order,
            or the path of a JSON file of answers.
        input: the input of the shortcut. A list is an input of several items.
        others: other shortcuts that this shortcut can run by name, as files or as a mapping from
            names to shortcuts.

    Raises:
        RejectedInputError: a file is damaged or contains no shortcut.
        AnswersError: the answers do not fit the shortcut. The message lists its questions or
            choices.
        OSError: a file cannot be read.
    """
    from benchloom.device.answers import AnswersFile, from_plain, read_answers
    from benchloom.device.items import spread
    from benchloom.device.runs import run

    record = shortcut if isinstance(shortcut, Shortcut) else parse(shortcut)
    if answers is None or isinstance(answers, Mapping):
        by_step = {str(step): list(values) for step, values in (answers or {}).items()}
        file = AnswersFile(by_step)
    else:
        file = read_answers(Path(answers).read_bytes())
    if isinstance(others, Mapping):
        library = dict(others)
    else:
        library = {Path(path).stem: parse(path) for path in others}
    content = () if input is None else spread(from_plain(input))
    return run(record, content, answers=file, others=library)


def compare_shortcuts(
    first: "str | Path | bytes | Shortcut", second: "str | Path | bytes | Shortcut"
) -> "Comparison":
    """Compare the effects of two shortcuts on several initial states of a simulated device.

    The result has a `verdict`, a `sentence` that explains the verdict, and the number of `starts`.

    Raises:
        RejectedInputError: a file is damaged or contains no shortcut.
        OSError: a file cannot be read.
    """
    from benchloom.device.comparison import compare

    left, right = (
        shortcut if isinstance(shortcut, Shortcut) else parse(shortcut)
        for shortcut in (first, second)
    )
    return compare(left, right)


def score_shortcut(task: "Task", shortcut: "str | Path | bytes | Shortcut") -> "Score":
    """Score a shortcut that was written for a task, by its effects on a simulated device.

    Raises:
        RejectedInputError: the file is damaged or contains no shortcut.
        RunError: the world of the task does not exist.
        OSError: the file cannot be read.
    """
    from benchloom.device.scores import score_shortcut as score_record

    return score_record(task, shortcut if isinstance(shortcut, Shortcut) else parse(shortcut))


class Converted(NamedTuple):
    """The result of `convert`.

    `plans[i]` was made from `dialogues[i]`; `rejected` lists the inputs that were left out.
    """

    plans: list[PlanningPath]
    dialogues: list[Dialogue]
    rejected: list[Rejected]


def convert(source: str, *inputs: "str | Path") -> Converted:
    """Turn the annotated dialogues of a source, `sgd` or `multiwoz`, into planning paths.

    Raises:
        RunError: the source is unknown, an input is missing or contains no dialogues.
    """
    from benchloom.storage.tables import iter_records
    from flows.run.runner import write_tables
    from flows.stages.dialogues.convert import prepare, stage_name

    with tempfile.TemporaryDirectory(prefix="benchloom-") as name:
        out = Path(name) / "plans"
        paths = [Path(path) for path in inputs]
        write_tables(stage_name(source), out, partial(prepare, source, paths))
        return Converted(
            list(iter_records(out, "planning_paths", PlanningPath)),
            list(iter_records(out, "dialogues", Dialogue)),
            list(iter_records(out, "rejected", Rejected)),
        )


def score(
    benchmark: str,
    predictions: "str | Path | Iterable[Mapping[str, Plain]]",
    gold: "str | Path | Release",
    *,
    rules: "Rules" = "right",
    split: str = "",
    partial: bool = False,
) -> "Summary":
    """Score predictions for a benchmark.

    In the result, `figures` contains every figure with its confidence interval.

    Args:
        benchmark: `shortcuts`, `appbench`, `nestful` or `api-bank`.
        predictions: a JSON Lines file or a list of mappings, with `id` and `output` in each.
        gold: a release, the folder of a release, or published gold files.
        rules: `right` to score by definition, or `published` to score as the original scorer does.
        split: the split to score; all splits if it is empty.
        partial: whether to leave out samples without a prediction.

    Raises:
        RunError: the benchmark is unknown, or gold or predictions cannot be read.
    """
    from benchloom.evaluate.result_files import score_predictions

    gold_path = gold.path if isinstance(gold, Release) else Path(gold)
    with tempfile.TemporaryDirectory(prefix="benchloom-") as name:
        if isinstance(predictions, str | Path):
            path = Path(predictions)
        else:
            path = Path(name) / "predictions.jsonl"
            lines = (json.dumps(dict(prediction)) + "\n" for prediction in predictions)
            path.write_text("".join(lines), encoding="utf-8")
        return score_predictions(benchmark, gold_path, path, rules, split=split, partial=partial)


class Release:
    """A release on disk, with methods that read its tables.

        release = benchloom.load()
        release.tables                                  # {"shortcuts": 222, ...}
        release.polars("queries").filter(pl.col("kept"))
        task = next(release.tasks("test"))

    Attributes:
        path: the folder of the release.
        manifest: the content of `manifest.json`, which lists the files and their digests.
    """

    def __init__(self, path: Path) -> None:
        from benchloom.release.manifest import read_manifest

        self.path = path
        self.manifest: Manifest = read_manifest(path)

    def __repr__(self) -> str:
        return f"Release({str(self.path)!r}, version={self.version!r})"

    @property
    def version(self) -> str:
        """The version of the release, such as 0.1.0."""
        return self.manifest.version

    @property
    def tables(self) -> dict[str, int]:
        """A mapping from each table of the release to its number of rows."""
        return self.manifest.tables()

    def arrow(
        self, table: str, *, split: str | None = None, columns: Sequence[str] | None = None
    ) -> "pa.Table":
        """Read a table, or one split or some columns of the table, as an Arrow table.

        Raises:
            RunError: the release has no such table or split.
        """
        import pyarrow as pa

        from benchloom.storage.tables import read_rows, table_parts

        if table not in self.tables:
            raise RunError(f"{self.path} has no table '{table}'; it has {', '.join(self.tables)}")
        parts = table_parts(self.path, table)
        splits = sorted({part.name.partition("-")[0] for part in parts})
        if split is not None:
            parts = [part for part in parts if part.name.startswith(f"{split}-")]
            if not parts:
                raise RunError(f"{table} has no split '{split}'; it has {', '.join(splits)}")
        column_names = None if columns is None else list(columns)
        return pa.concat_tables([read_rows(part, column_names) for part in parts])

    def pandas(
        self, table: str, *, split: str | None = None, columns: Sequence[str] | None = None
    ) -> "pd.DataFrame":
        """Read a table as a pandas data frame; the arguments are those of `arrow`.

        Raises:
            RunError: pandas is not installed, or the release has no such table or split.
        """
        _require("pandas")
        frame: pd.DataFrame = self.arrow(table, split=split, columns=columns).to_pandas()
        return frame

    def polars(
        self, table: str, *, split: str | None = None, columns: Sequence[str] | None = None
    ) -> "pl.DataFrame":
        """Read a table as a polars data frame; the arguments are those of `arrow`.

        Raises:
            RunError: polars is not installed, or the release has no such table or split.
        """
        _require("polars")
        import polars as pl

        return pl.DataFrame(self.arrow(table, split=split, columns=columns))

    def rows(
        self, form: str, *, split: str | None = None, templates: bool = False
    ) -> Iterator[dict[str, Any]]:
        """Yield training rows in the format `form`, as `benchloom release export` writes them.

        With `templates`, also yield rows whose texts templates wrote.

        Raises:
            RunError: the format or split is unknown.
            GateError: nothing can be exported; the error lists the reasons.
        """
        import pyarrow.parquet as pq

        from benchloom.exchange.examples.releases import Choice
        from benchloom.storage.tables import PARQUET
        from flows.stages.export.tasks import export_as

        with tempfile.TemporaryDirectory(prefix="benchloom-") as name:
            out = Path(name) / "rows"
            export_as(self.path, form, out, Choice(split, templates=templates))
            files = [
                path for path in sorted(out.iterdir()) if path.is_file() and path.stem in SPLITS
            ]
            if not files:
                raise RunError(
                    f"'{form}' is not written as rows; write files with 'benchloom release export'"
                )
            for path in files:
                if path.suffix == PARQUET:
                    yield from _plain_rows(pq.read_table(path))
                else:
                    with path.open(encoding="utf-8") as lines:
                        yield from map(json.loads, lines)

    def tasks(self, split: str | None = None) -> Iterator["ReleasedTask"]:
        """Yield the executable tasks, or those of one split, in the order of the table.

        Raises:
            RunError: the release has no tasks, or one cannot be read.
        """
        return read_tasks(self.path, split)


def read_tasks(path: "str | Path", split: str | None = None) -> Iterator["ReleasedTask"]:
    """Yield the tasks in a release, in a folder of `benchloom world build`, or in JSON Lines.

    Raises:
        RunError: there are no tasks, no task belongs to `split`, or a task cannot be read.
    """
    from benchloom.worlds.runs.task_reader import read_tasks as stored_tasks

    splits: set[str] = set()
    for task in stored_tasks(Path(path)):
        splits.add(task.split or "no split")
        if split is None or task.split == split:
            yield ReleasedTask(task)
    if not splits:
        raise RunError(f"{path} has no task; make some with 'benchloom world build'")
    if split not in {None, *splits}:
        raise RunError(f"{path} has no task of split '{split}'; it has {', '.join(sorted(splits))}")


def training_tasks(path: "str | Path", split: str | None = None) -> "TrainingTasks":
    """Read tasks for a trainer that creates environments, such as `GRPOTrainer` of TRL.

        tasks = benchloom.training_tasks("workspace/tasks-everyday", split="train")
        GRPOTrainer(
            model,
            train_dataset=Dataset.from_list(tasks.rows()),
            environment_factory=tasks.environments,
            reward_funcs=tasks.reward,
        )

    Raises:
        RunError: there are no tasks, a task cannot be read, or two tasks have different tools of
            the same name.
    """
    from benchloom.worlds.servers.trl import TrainingTasks

    return TrainingTasks(task.task for task in read_tasks(path, split))


class ReleasedTask:
    """An executable task: a request of a user, tools, and a simulated world that they change.

    with task.session() as session:
        session.call("alarms__create_alarm", {"time": "07:05"})
        session.say("Done.")
        print(session.score().solved)
    """

    def __init__(self, task: "Task") -> None:
        self.task = task
        self._offer: Offer | None = None

    def __repr__(self) -> str:
        return f"ReleasedTask({self.task_id!r}, request={self.request[:60]!r})"

    @property
    def task_id(self) -> str:
        """The id of the task."""
        return self.task.task_id

    @property
    def request(self) -> str:
        """The first message of the user."""
        return self.task.turns[0]

    @property
    def instructions(self) -> str:
        """The instructions that an agent gets first: the current time, and rules to obey."""
        return self.task.instructions(self._offered().world.now)

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The tools that an agent may call, each as a function in the format of the OpenAI API."""
        return [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.about,
                    "parameters": tool.arguments,
                },
            }
            for tool in self._offered().tools.values()
        ]

    def session(self) -> "TaskSession":
        """Open a new world in which an agent can try the task.

        Close the session after use, or use it as a context manager.
        """
        return TaskSession(self._offered(), self.task)

    def _offered(self) -> "Offer":
        from benchloom.worlds.runs.offered_tools import offer_of_task

        if self._offer is None:
            self._offer = offer_of_task(self.task)
        return self._offer


class TaskSession:
    """An attempt at a task in a simulated world, which the calls of an agent change."""

    def __init__(self, offer: "Offer", task: "Task") -> None:
        from benchloom.worlds.servers.attempts import Attempt

        self._attempt = Attempt(offer, task)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def call(self, tool: str, arguments: "Mapping[str, Plain]") -> "Outcome":
        """Call a tool of the task.

        A refused call changes nothing; `refused` of the result is the reason.
        """
        return self._attempt.call(tool, arguments)

    def say(self, text: str) -> str | None:
        """Say a text to the user; return the user's next message, or None if there is none.

        Raises:
            ValueError: the conversation was over already, or the text is too long.
        """
        return self._attempt.say(text, aside=False)

    def score(self) -> "Score":
        """Return the score of the attempt, whose field `solved` says whether the task is solved.

        The state of the world and the agent's replies are compared with the task.
        """
        return self._attempt.score()

    def close(self) -> None:
        """Free the memory of the world; the session cannot be used any more."""
        self._attempt.close()


def _require(package: str) -> None:
    if find_spec(package) is None:
        raise RunError(f"{package} is not installed: pip install {package}")


def _plain_rows(table: "pa.Table") -> Iterator[dict[str, Any]]:
    nested = {field.name: "extension<arrow.json>" in str(field.type) for field in table.schema}
    for row in table.to_pylist():
        yield {name: _decode(cell) if nested[name] else cell for name, cell in row.items()}


def _decode(cell: object) -> object:
    if isinstance(cell, list):
        return [_decode(part) for part in cell]
    return json.loads(cell) if isinstance(cell, str) else cell


def _from_hub(name: str) -> Path:
    """Download a dataset of the Hub, `OWNER/NAME` or `OWNER/NAME@REVISION`, and return its folder.

    Raises:
        RunError: the extra `hub` is missing, or the Hub refused.
    """
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError, HFValidationError
    except ImportError as error:
        raise RunError("datasets of the Hub need an extra: pip install 'benchloom[hub]'") from error
    repository, _, revision = name.partition("@")
    try:
        folder = snapshot_download(repository, repo_type="dataset", revision=revision or None)
    except (HfHubHTTPError, HFValidationError, OSError) as error:
        raise RunError(f"{HUB}{name}: {error}") from error
    return Path(folder)
