"""Recorded dialogues become candidates, and candidates become proved tasks."""

from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest

from benchloom.errors import RejectedInputError
from benchloom.inputs import list_objects
from benchloom.records import Dialogue, ServiceResult
from benchloom.tables import iter_records
from benchloom.worlds.proving import Grounds, prove
from benchloom.worlds.suites.sgd.asking import candidates
from benchloom.worlds.suites.sgd.start import read_start
from benchloom.worlds.task import Candidate
from flows.stages.dialogues.convert import convert_to_folder

SGD = Path(__file__).resolve().parents[4] / "demo" / "sgd"


@pytest.fixture(scope="module")
def converted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("candidates") / "converted"
    convert_to_folder("sgd", [SGD], out)
    return out


def made(folder: Path, seed: int = 0) -> list[Candidate]:
    with ExitStack() as stack:
        return list(candidates(list(list_objects([folder], stack)), seed))


@pytest.fixture(scope="module")
def found(converted: Path) -> list[Candidate]:
    return made(converted)


def test_a_candidate_is_a_dialogue_with_its_words_calls_and_licence(
    found: list[Candidate], converted: Path
) -> None:
    words = {
        (one.source_uri, one.source_id): one
        for one in iter_records(converted, "dialogues", Dialogue)
    }
    calls: dict[tuple[str, str], list[tuple[str, object]]] = {}
    for row in iter_records(converted, "service_results", ServiceResult):
        call = (f"{row.service}.{row.method}", msgspec.json.decode(row.arguments))
        calls.setdefault((row.source_uri, row.source_id), []).append(call)
    assert len(found) > 20
    for one in found:
        key = (one.source_uri, one.source_id)
        assert one.turns == tuple(said.text for said in words[key].utterances)
        assert (one.license, one.split) == (words[key].licence, words[key].split)
        assert all((call.tool, call.arguments) in calls[key] for call in one.calls)
        for planned in one.calls:
            assert set(planned.said.values()) <= set(one.turns)


def test_a_world_holds_services_and_rows_of_its_split_alone(
    found: list[Candidate], converted: Path
) -> None:
    rows: dict[str | None, set[str]] = {}
    services: dict[str | None, set[str]] = {}
    for one in iter_records(converted, "service_results", ServiceResult):
        rows.setdefault(one.split, set()).update(row.values for row in one.rows)
        services.setdefault(one.split, set()).add(one.service)
    encode = msgspec.json.Encoder(order="deterministic").encode
    more = 0
    for candidate in found:
        start = read_start(candidate.start)
        assert {encode(row.values).decode() for row in start.rows} <= rows[candidate.split]
        assert {one.service for one in start.methods} <= services[candidate.split]
        more += len({one.service for one in start.methods})
    assert more > len(found) * 2


def test_candidates_are_proved_or_told_why_not(found: list[Candidate]) -> None:
    reasons: Counter[str] = Counter()
    grounds = Grounds()
    for one in found:
        try:
            task = prove(one, grounds)
        except RejectedInputError as error:
            reasons[error.reason] += 1
        else:
            reasons["proved"] += 1
            assert task.proofs.needed
            assert task.distractors
    grounds.close()
    assert reasons["proved"] > len(found) / 2
    assert reasons.keys() <= {"proved", "underivable", "no_need"}


def test_candidates_follow_from_files_and_seed(found: list[Candidate], converted: Path) -> None:
    assert made(converted) == found
    other = made(converted, 7)
    assert [one.source_id for one in other] == [one.source_id for one in found]
    assert [one.start for one in other] != [one.start for one in found]
