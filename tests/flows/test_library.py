"""Check the functions of `import benchloom`, each of which has a command as its twin."""

from pathlib import Path

import pytest

import benchloom
from benchloom.core.errors import RejectedInputError, RunError
from benchloom.evaluate.benchmarks import BENCHMARKS
from tests.support.commands import benchloom as run_command
from tests.support.python import python

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def release(demo_release: Path) -> benchloom.Release:
    return benchloom.load(demo_release)


def test_tables_load_as_pandas_arrow_and_polars(release: benchloom.Release) -> None:
    assert release.version == "0.1.0"
    frame = release.pandas("shortcuts", columns=["name"])
    assert len(frame) == release.tables["shortcuts"] == release.arrow("shortcuts").num_rows
    split_rows = release.polars("queries", split="test")
    assert set(split_rows["split"]) == {"test"}
    assert 0 < len(split_rows) < release.tables["queries"]


def test_load_finds_a_version_or_the_newest_in_a_workspace(demo_release: Path) -> None:
    workspace = demo_release.parents[1]
    for version in (None, "0.1.0"):
        assert benchloom.load(version, workspace=workspace).path == demo_release


def test_training_rows_have_messages_and_tools(release: benchloom.Release) -> None:
    row = next(release.rows("trl", split="train", templates=True))
    assert [message["role"] for message in row["messages"]][:2] == ["user", "assistant"]
    assert row["tools"][0]["type"] == "function"
    assert next(release.rows("openai", split="train", templates=True))["messages"]


@pytest.mark.parametrize(
    ("call", "fault"),
    [
        (lambda _: benchloom.load("no-such-folder"), "no-such-folder is neither a folder"),
        (lambda release: release.arrow("shortcut"), "has no table 'shortcut'; it has api_"),
        (lambda release: release.arrow("queries", split="dev"), "queries has no split 'dev'"),
        (
            lambda release: next(release.rows("bfcl", templates=True)),
            "'bfcl' is not written as rows",
        ),
        (lambda _: benchloom.convert("sgd", "no-such-folder"), "no-such-folder"),
        (lambda release: benchloom.score("nobody", [], release), "nobody"),
    ],
)
def test_unknown_names_are_refused_with_the_known_ones(
    release: benchloom.Release, call: object, fault: str
) -> None:
    assert callable(call)
    with pytest.raises(RunError, match=fault):
        call(release)


def test_shortcut_is_parsed_from_a_file_or_bytes() -> None:
    path = next((ROOT / "demo" / "shortcuts").rglob("*.shortcut"))
    shortcut = benchloom.parse(path)
    assert shortcut.actions
    assert benchloom.parse(path.read_bytes()).shortcut_id == shortcut.shortcut_id
    with pytest.raises(RejectedInputError):
        benchloom.parse(b"no shortcut")


def test_convert_returns_plans_and_dialogues() -> None:
    plans, dialogues, rejected = benchloom.convert("sgd", ROOT / "demo" / "sgd")
    assert len(plans) == len(dialogues) == 29
    assert rejected == []


def test_gold_outputs_score_one(release: benchloom.Release) -> None:
    benchmark = BENCHMARKS.find("appbench")
    outputs = [
        {"id": sample.sample_id, "output": benchmark.output_of(sample, sample.example.calls)}
        for sample in benchmark.read_gold(release.path)
    ]
    summary = benchloom.score("appbench", outputs, release)
    assert summary.samples == len(outputs)
    assert {figure.value for figure in summary.figures.values()} == {1.0}


def test_task_is_solved_only_after_the_calls_of_its_plan(tmp_path: Path) -> None:
    command = ("world", "build", "everyday", "--count", "3", "--out", tmp_path)
    assert run_command(*command).returncode == 0
    for task in benchloom.read_tasks(tmp_path):
        names = {tool["function"]["name"] for tool in task.tools}
        with task.session() as session:
            assert not session.score().solved
            for call in task.task.calls:
                name = call.tool.replace(".", "__")
                assert name in names
                session.call(name, call.arguments)
            session.say(task.task.answer or "Done.")
            assert session.score().solved


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_missing_package_is_named(
    release: benchloom.Release, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    monkeypatch.setattr("flows.library.find_spec", lambda _: None)
    with pytest.raises(RunError, match=f"pip install {package}"):
        getattr(release, package)("shortcuts")


def test_import_of_benchloom_imports_no_heavy_package() -> None:
    code = "import benchloom, sys; print(len({'pyarrow', 'prefect', 'msgspec'} & set(sys.modules)))"
    assert python("-c", code).stdout == "0\n"


def test_shortcut_runs_with_answers_and_input() -> None:
    path = ROOT / "demo" / "shortcuts" / "tip-for-the-waiter.shortcut"
    first_run = benchloom.run_shortcut(path)
    assert first_run.outcome == "finished"
    assert first_run.trace
    step = first_run.questions[0].key
    answered = benchloom.run_shortcut(path.read_bytes(), answers={step: [80]}, input=["a", 2])
    assert answered.questions[0].answer == "80"
    assert answered.effects[-1].kind == "shown"
    with pytest.raises(RunError, match="unknown step total; this run asks: 0"):
        benchloom.run_shortcut(path, answers={"total": [80]})
