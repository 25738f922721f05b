"""Check that recorded dialogues become candidates, and candidates become proved tasks."""

import shutil
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest

from benchloom.core.errors import RejectedInputError
from benchloom.core.records import Dialogue, ResultRow, ServiceResult
from benchloom.storage.inputs import list_objects
from benchloom.storage.tables import iter_records, write_table
from benchloom.worlds.proofs import OpenWorlds, prove
from benchloom.worlds.suites.sgd.candidates import candidates
from benchloom.worlds.suites.sgd.start import read_start
from benchloom.worlds.task import Candidate, Task
from flows.run.runner import run_whole
from flows.stages import tasks as tasks_stage
from flows.stages.tasks import TaskOptions
from tests.support.right_model import unsolved_tasks, wrong_solutions
from tests.support.stages import convert

SGD = Path(__file__).resolve().parents[4] / "demo" / "sgd"


@pytest.fixture(scope="module")
def converted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("candidates") / "converted"
    convert("sgd", [SGD], out)
    return out


def read_candidates(folder: Path, seed: int = 0) -> list[Candidate]:
    with ExitStack() as stack:
        return list(candidates(list(list_objects([folder], stack)), seed))


@pytest.fixture(scope="module")
def dialogue_candidates(converted: Path) -> list[Candidate]:
    """Return the candidates of the converted demo dialogues."""
    return read_candidates(converted)


def test_candidate_has_turns_calls_and_licence_of_its_dialogue(
    dialogue_candidates: list[Candidate], converted: Path
) -> None:
    dialogues_by_key = {
        (dialogue.source_uri, dialogue.source_id): dialogue
        for dialogue in iter_records(converted, "dialogues", Dialogue)
    }
    calls: dict[tuple[str, str], list[tuple[str, object]]] = {}
    for row in iter_records(converted, "service_results", ServiceResult):
        call = (f"{row.service}.{row.method}", msgspec.json.decode(row.arguments))
        calls.setdefault((row.source_uri, row.source_id), []).append(call)
    assert len(dialogue_candidates) > 20
    for candidate in dialogue_candidates:
        key = (candidate.source_uri, candidate.source_id)
        assert candidate.turns == tuple(
            utterance.text for utterance in dialogues_by_key[key].utterances
        )
        assert (candidate.license, candidate.split) == (
            dialogues_by_key[key].licence,
            dialogues_by_key[key].split,
        )
        assert all((call.tool, call.arguments) in calls[key] for call in candidate.calls)
        for planned in candidate.calls:
            utterance = [dialogues_by_key.casefold() for dialogues_by_key in planned.said.values()]
            assert all(
                any(dialogues_by_key in turn.casefold() for turn in candidate.turns)
                for dialogues_by_key in utterance
            )


def test_world_contains_only_services_and_rows_of_its_split(
    dialogue_candidates: list[Candidate], converted: Path
) -> None:
    rows: dict[str | None, set[str]] = {}
    services: dict[str | None, set[str]] = {}
    for service_result in iter_records(converted, "service_results", ServiceResult):
        rows.setdefault(service_result.split, set()).update(
            row.values for row in service_result.rows
        )
        services.setdefault(service_result.split, set()).add(service_result.service)
    encode = msgspec.json.Encoder(order="deterministic").encode
    service_count = 0
    for candidate in dialogue_candidates:
        start = read_start(candidate.start)
        assert {encode(row.values).decode() for row in start.rows} <= rows[candidate.split]
        assert {method.service for method in start.methods} <= services[candidate.split]
        service_count += len({method.service for method in start.methods})
    assert service_count > len(dialogue_candidates) * 2


def test_right_model_solves_every_proved_candidate(
    dialogue_candidates: list[Candidate],
) -> None:
    reasons: Counter[str] = Counter()
    open_worlds = OpenWorlds()
    tasks: list[Task] = []
    for candidate in dialogue_candidates:
        try:
            task = prove(candidate, open_worlds)
        except RejectedInputError as error:
            reasons[error.reason] += 1
        else:
            reasons["proved"] += 1
            tasks.append(task)
            assert task.proofs.needed
            assert task.distractors
    open_worlds.close()
    assert reasons["proved"] > len(dialogue_candidates) / 2
    assert unsolved_tasks(tasks) == []
    assert [wrong for task in tasks for wrong in wrong_solutions(task)] == []
    assert reasons.keys() <= {"proved", "underivable", "no_need", "no_answer"}


def test_candidates_depend_only_on_files_and_seed(
    dialogue_candidates: list[Candidate], converted: Path
) -> None:
    assert read_candidates(converted) == dialogue_candidates
    other = read_candidates(converted, 7)
    assert [candidate.source_id for candidate in other] == [
        candidate.source_id for candidate in dialogue_candidates
    ]
    assert [candidate.start for candidate in other] != [
        candidate.start for candidate in dialogue_candidates
    ]


def test_phone_numbers_in_worlds_are_redacted(converted: Path, tmp_path: Path) -> None:
    rows = list(iter_records(converted, "service_results", ServiceResult))
    changed_rows = [
        msgspec.structs.replace(
            row,
            rows=tuple(
                ResultRow(
                    result_row.rank, result_row.values[:-1] + ',"phone_number":"415-555-0134"}'
                )
                for result_row in row.rows
            ),
        )
        for row in rows
    ]
    shutil.copytree(converted, tmp_path / "told")
    write_table("service_results", changed_rows, tmp_path / "told" / "service_results.parquet")
    world_candidates = read_candidates(tmp_path / "told")
    assert len(world_candidates) > 20
    assert not any("0134" in candidate.start for candidate in world_candidates)
    assert any("[redacted:phone]" in candidate.start for candidate in world_candidates)


def test_tasks_from_files_equal_tasks_from_tables(converted: Path, tmp_path: Path) -> None:
    marks = [
        run_whole(
            tasks_stage.prepare("sgd", [source], TaskOptions(count=4, distractors=3)),
            tmp_path / str(number),
        )
        for number, source in enumerate((SGD, converted))
    ]
    assert marks[0].rows == marks[1].rows
    tables = [(tmp_path / name / "tasks.parquet").read_bytes() for name in ("0", "1")]
    assert tables[0] == tables[1]
