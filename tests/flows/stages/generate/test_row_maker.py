"""Check that generated rows are equal in several processes, in later runs and on a cluster."""

import pickle
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchloom.core.errors import RunError
from benchloom.core.records import Rejected
from flows.run.engines import EngineRequest, use_engine
from flows.run.runner import run_whole
from flows.run.stage import stage_path
from flows.stages.generate import model, supplied_texts
from flows.stages.generate.model import run_model
from flows.stages.generate.plan import GeneratePlan
from flows.stages.generate.row_maker import BatchPool, batch_pool
from flows.stages.generate.run import generate_rows, run_template
from prompts.inputs import late_shortcuts
from prompts.inputs.shortcuts import (
    ShortcutInput,
    ShortcutRow,
    shortcut_input,
)
from prompts.language.value_texts.labels import ApiFacts
from prompts.steps import STEPS, Sampling
from tests.support.folders import contents
from tests.support.llm.server import LlmServer
from tests.support.llm.world import (
    endpoint_for,
    plan_for,
    rows_of,
    shortcut,
    shortcuts_folder,
    table_bytes,
    write_definitions,
    write_paths,
    write_shortcuts,
)

ROWS = 40


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write shortcuts, definitions and plans to generate texts about."""
    folder = tmp_path_factory.mktemp("cases") / "in"
    return write_paths(write_definitions(shortcuts_folder(folder, ROWS)))


@pytest.fixture(scope="module")
def pool() -> Iterator[BatchPool]:
    with batch_pool(2) as worker_hands:
        yield worker_hands


@pytest.mark.parametrize("step", ["query", "instruction", "dialogue"])
def test_templates_of_two_processes_equal_those_of_one(
    source: Path, pool: BatchPool, tmp_path: Path, step: str
) -> None:
    plan = GeneratePlan(step=step, source=source)
    generate_rows(plan, tmp_path / "one")
    generate_rows(plan, tmp_path / "two", batch_pool=pool)
    assert any(rows_of(tmp_path / "one"))
    assert table_bytes(tmp_path / "one") == table_bytes(tmp_path / "two")


def test_model_texts_are_judged_alike_by_two_processes(source: Path, tmp_path: Path) -> None:
    plan = plan_for(source)
    with LlmServer().running() as server:
        endpoint = endpoint_for(tmp_path, server.url)
        run_model(plan, tmp_path / "one", endpoint)
        run_model(plan, tmp_path / "two", endpoint, workers=2)
    texts, verdicts, _ = rows_of(tmp_path / "two")
    assert {verdict.target_id for verdict in verdicts} == {text.query_id for text in texts}
    assert table_bytes(tmp_path / "one") == table_bytes(tmp_path / "two")


def test_supplied_texts_are_judged_alike_by_two_processes(
    source: Path, pool: BatchPool, tmp_path: Path
) -> None:
    plan = GeneratePlan(step="query", source=source)
    generate_rows(plan, tmp_path / "own")
    texts = rows_of(tmp_path / "own")[0]
    lines = [{"target_id": row.target_id, "text": f"{row.text} at noon"} for row in texts]
    file = tmp_path / "texts.jsonl"
    file.write_bytes(b"\n".join(msgspec.json.encode(line) for line in lines))
    for name, worker_hands in (("one", BatchPool()), ("two", pool)):
        run_whole(supplied_texts.prepare(plan, file, worker_hands), tmp_path / f"given-{name}")
    assert table_bytes(tmp_path / "given-one") == table_bytes(tmp_path / "given-two")
    assert (tmp_path / "given-two" / "verdicts.parquet").is_file()


def test_templates_of_dask_workers_equal_local_templates(source: Path, tmp_path: Path) -> None:
    plan = GeneratePlan(step="query", source=source)
    run_template(plan, tmp_path / "here")
    with use_engine("dask", EngineRequest(workspace=tmp_path / "w", workers=1)):
        run_template(plan, tmp_path / "w" / "there")
    assert table_bytes(tmp_path / "here") == table_bytes(tmp_path / "w" / "there")


def test_verdicts_about_model_texts_are_remembered(source: Path, tmp_path: Path) -> None:
    batch_sizes: list[int] = []

    def record_batch(function: Any, *iterables: Any) -> Iterator[Any]:
        batch_sizes.append(len(iterables[0]))
        return map(function, *iterables)

    plan = plan_for(source)
    workspace = tmp_path / "w"
    folders = [stage_path(workspace / "generated", "query", number * 16) for number in "01"]
    with LlmServer().running() as server:
        endpoint = endpoint_for(tmp_path, server.url)
        run_model(plan, folders[0], endpoint)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(model, "batch_pool", lambda _: nullcontext(BatchPool(record_batch, 2)))
            run_model(plan, folders[1], endpoint)
            assert batch_sizes == []  # every text has a stored verdict
            run_model(plan, tmp_path / "elsewhere", endpoint)
            assert batch_sizes != []
    assert table_bytes(folders[0]) == table_bytes(folders[1])
    assert table_bytes(folders[0]) == table_bytes(tmp_path / "elsewhere")


def test_only_new_and_changed_rows_become_inputs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shortcut_ids: list[str] = []
    original_input = shortcut_input

    def record_row(row: ShortcutRow, definitions: Mapping[str, ApiFacts]) -> ShortcutInput:
        shortcut_ids.append(row.shortcut_id)
        return original_input(row, definitions)

    monkeypatch.setattr(late_shortcuts, "shortcut_input", record_row)
    rows = [shortcut(number) for number in range(ROWS)]
    changed = msgspec.structs.replace(rows[7], description="Waters the plants of a neighbour")
    long = msgspec.structs.replace(rows[9], length=31)
    runs = {
        "0": (rows, rows),
        "1": ([shortcut(ROWS), *rows[:7], changed, rows[8], long, *rows[10:]], [changed]),
        "2": (rows[::-1], []),
    }
    runs["1"][1].insert(0, runs["1"][0][0])
    for number, (input_rows, fresh) in runs.items():
        plan = GeneratePlan(step="query", source=write_shortcuts(tmp_path / number, input_rows))
        folder = stage_path(tmp_path / "w" / "generated", "query", number * 16)
        shortcut_ids.clear()
        generate_rows(plan, folder)
        assert sorted(shortcut_ids) == sorted(row.shortcut_id for row in fresh)
        generate_rows(plan, tmp_path / f"elsewhere-{number}")
        assert table_bytes(folder) == table_bytes(tmp_path / f"elsewhere-{number}")
    write_definitions(tmp_path / "2")
    shortcut_ids.clear()
    generate_rows(plan, stage_path(tmp_path / "w" / "generated", "query", "3" * 16))
    assert len(shortcut_ids) == ROWS


def test_inputs_have_different_digests(source: Path) -> None:
    late = list(late_shortcuts.late_shortcuts(source))
    digests = {entry.input_digest for entry in late if not isinstance(entry, Rejected)}
    assert len(late) == len(digests) == ROWS


def test_worker_processes_make_the_inputs(
    source: Path, pool: BatchPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shortcut_ids: list[str] = []

    def record_row(row: ShortcutRow, definitions: Mapping[str, ApiFacts]) -> ShortcutInput:
        shortcut_ids.append(row.shortcut_id)
        return shortcut_input(row, definitions)

    monkeypatch.setattr(late_shortcuts, "shortcut_input", record_row)
    plan = GeneratePlan(step="query", source=source)
    folders = [stage_path(tmp_path / f"w{n}" / "generated", "query", "0" * 16) for n in range(3)]
    generate_rows(plan, folders[0], batch_pool=pool)
    assert shortcut_ids == []
    generate_rows(plan, folders[1])
    assert len(shortcut_ids) == ROWS
    assert contents(tmp_path / "w0" / "generated") == contents(tmp_path / "w1" / "generated")
    # Supplied texts need no input in this process either.
    texts = tmp_path / "texts.jsonl"
    lines = [{"target_id": row.target_id, "text": row.text} for row in rows_of(folders[0])[0]]
    texts.write_bytes(b"\n".join(msgspec.json.encode(line) for line in lines))
    shortcut_ids.clear()
    run_whole(supplied_texts.prepare(plan, texts, pool), folders[2])
    assert shortcut_ids == []


def test_pickled_cases_contain_only_their_row(source: Path) -> None:
    cases = list(STEPS.find("query").cases(source, Sampling()))
    pickled = pickle.dumps(cases)
    assert len(pickled) < 3_000 * ROWS
    received = pickle.loads(pickled)  # noqa: S301  pickled above
    assert [vars(case)["_make"]() for case in received] == [vars(case)["_make"]() for case in cases]
    unread_cases = pickle.dumps(list(STEPS.find("query").cases(source, Sampling(seed=1))))
    late_shortcuts._definitions_of.cache_clear()
    table = source / "api_definitions.parquet"
    content = table.read_bytes()
    table.unlink()
    with pytest.raises(RunError, match=r"the API definitions in .* changed during the run"):
        pickle.loads(unread_cases)  # noqa: S301  as above
    table.write_bytes(content)
