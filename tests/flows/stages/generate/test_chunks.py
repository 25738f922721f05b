"""Chunks of a generating run that goes on where another one ended."""

from pathlib import Path

import pytest

from benchloom.core.records import Query, Verdict
from benchloom.storage.stages import part_path
from benchloom.storage.tables.reading import records_in
from flows.run.chunks import Chunks
from flows.stages.generate.chunks import ChunkWriter
from flows.stages.generate.plan import GeneratePlan
from prompts.inputs.supplied_texts import SuppliedText
from prompts.results.judging import Judge
from prompts.results.rows import AnyCase, supplied_row
from prompts.steps.base import Case

PLAN = GeneratePlan(step="instruction", source=Path("made"), chunk_rows=1)
TEXTS = (
    "Reserve a table for two at a quiet place in Nordhafen and get us a cab there at 7:30 pm",
    "Reserve a table for two at a quiet place in Nordhafen and get us a taxi there at 7:30 pm",
)


def add(writer: ChunkWriter, case: AnyCase, text: str) -> None:
    row = supplied_row(PLAN.found(), case, SuppliedText(case.target_id, text), "made:1")
    assert isinstance(row, Query)
    writer.add(case, row, Judge("instruction").alone(PLAN.found(), case.given, row))


def started(folder: Path) -> ChunkWriter:
    chunks = Chunks(folder, PLAN.stage(), PLAN.tables(), [])
    return ChunkWriter(PLAN, chunks, Judge("instruction"), None)


@pytest.mark.parametrize("interrupted", [False, True])
def test_a_run_that_goes_on_knows_the_values_of_earlier_texts(
    tmp_path: Path, *, interrupted: bool
) -> None:
    sample_input = PLAN.found().sample().given
    cases = [Case(f"path:made:{number}", "made", sample_input) for number in range(2)]
    writer = started(tmp_path)
    add(writer, cases[0], TEXTS[0])
    if interrupted:
        writer = started(tmp_path)
        assert list(writer.skip_written(iter(cases))) == cases[1:]
    add(writer, cases[1], TEXTS[1])
    verdicts = list(records_in(part_path(tmp_path, "verdicts", 1), "verdicts", Verdict))
    (near_duplicate,) = [verdict for verdict in verdicts if verdict.check == "near_duplicate"]
    assert not near_duplicate.kept
