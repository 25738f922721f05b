"""Stage judge-given: rows and verdicts for texts that people or other tools wrote."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchloom.errors import RunError
from benchloom.memory.code import stage_key
from benchloom.records import Query, Rejected
from benchloom.tables import TableWriter, write_table
from benchloom.under_way import under_way
from benchloom.workspace import StageMark, stage_folder, write_mark
from flows.stages.generate.batches import Asked
from flows.stages.generate.making import OWN, Hands, making
from flows.stages.generate.plan import GeneratePlan, cases_of
from prompts.results.given import GivenTexts
from prompts.results.judging import Judge
from prompts.results.rows import given_row

STAGE = "judge-given"


def given_to_folder(plan: GeneratePlan, texts: Path, out: Path, hands: Hands = OWN) -> StageMark:
    """Write `queries`, `verdicts` and `rejected` for the lines of a file, in the input's order.

    `plan` names the step that could have written them, and the input they are about.

    Raises:
        RunError: a step that writes no texts, or a file without an end.
    """
    step = plan.found()
    if step.judges:
        raise RunError(
            f"'{plan.step}' writes no texts; name the step that could have written these"
        )
    given = GivenTexts(texts)
    with stage_folder(out, STAGE) as folder:
        rows = _write_judged(plan, given, folder, hands)
        given.reject_rest(plan.source)
        given.rejected.sort(key=lambda row: int(row.source_uri.rpartition(":")[2]))
        rejected = folder / "rejected.parquet"
        rows["rejected"] = write_table("rejected", given.rejected, rejected)
        mark = StageMark(
            stage=STAGE,
            key=stage_key(STAGE, [plan.key(), given.digest], given=[type(step)]),
            objects=given.lines,
            rows=rows,
            reasons=dict(sorted(Counter(row.reason for row in given.rejected).items())),
        )
        write_mark(folder, mark)
    return mark


def _write_judged(
    plan: GeneratePlan, given: GivenTexts, folder: Path, hands: Hands
) -> dict[str, int]:
    step, judge = plan.found(), Judge(plan.found().kind)
    with (
        TableWriter("queries", folder / "queries.parquet") as queries,
        TableWriter("verdicts", folder / "verdicts.parquet") as verdicts,
        making(plan, folder, hands) as found,
        under_way(f"judge {plan.step}", given.lines, "texts") as one,
    ):
        for case, row, looked in found.made(_rows(plan, given)):
            if isinstance(case, Rejected) or not isinstance(row, Query):
                continue
            judged, made = judge.judged_before(step, row, looked)
            one.advance()
            queries.add(judged)
            for verdict in made:
                verdicts.add(verdict)
    return {"queries": queries.rows, "verdicts": verdicts.rows}


def _rows(plan: GeneratePlan, given: GivenTexts) -> Iterator[Asked]:
    """Each text that can be judged, with what it is about; the others are rejected."""
    step = plan.found()
    for case in cases_of(plan):
        lines = given.about(case)
        if isinstance(case, Rejected):
            continue
        for line in lines:
            row = given_row(step, case, line.given, line.place)
            if isinstance(row, Rejected):
                given.rejected.append(row)
            else:
                yield case, row
