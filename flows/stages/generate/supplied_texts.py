"""The stage `judge-given` judges texts that people or other tools wrote, by the rules of a step."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchloom.core.errors import RunError
from benchloom.core.progress import under_way
from benchloom.core.records import Query, Rejected
from flows.run.output import Result
from flows.run.runner import WholeStage
from flows.stages.generate.plan import GeneratePlan, cases_of
from flows.stages.generate.row_maker import OWN, BatchPool, CaseAndRow, RowMaker
from prompts.results.rows import Judge
from prompts.results.supplied import SuppliedTexts, supplied_row

STAGE = "judge-given"


def prepare(plan: GeneratePlan, texts: Path, batch_pool: BatchPool = OWN) -> WholeStage:
    """Build the stage that judges the texts in a JSON Lines file.

    `plan` names the step whose rules apply to the texts, and the input whose rows the texts
    describe.

    Raises:
        RunError: the step writes no texts, or the file is not a regular file.
    """
    if plan.definition().judges:
        raise RunError(
            f"'{plan.step}' writes no texts; pass the step that could have written these texts"
        )
    supplied_texts = SuppliedTexts(texts)
    return WholeStage(
        name=STAGE,
        tables=("queries", "verdicts", "rejected"),
        write=partial(judge_supplied, plan, supplied_texts, batch_pool),
        decides=[*plan.decides(), supplied_texts.digest],
    )


def judge_supplied(
    plan: GeneratePlan, supplied_texts: SuppliedTexts, batch_pool: BatchPool, result: Result
) -> None:
    """Write a row for each text, in the order of the input, and the verdicts on it."""
    judge, maker = Judge(plan.definition().kind), RowMaker(plan, batch_pool)
    with under_way(f"judge {plan.step}", supplied_texts.lines, "texts") as progress:
        for case, row, text_findings in maker.rows(_rows(plan, supplied_texts)):
            if isinstance(case, Rejected) or not isinstance(row, Query):
                continue
            judged_row, verdicts = judge.decide(row, text_findings)
            progress.advance()
            result.add("queries", judged_row)
            result.add_all("verdicts", verdicts)
    supplied_texts.reject_rest(plan.source)
    supplied_texts.rejected.sort(key=lambda row: int(row.source_uri.rpartition(":")[2]))
    for rejected in supplied_texts.rejected:
        result.reject(rejected)
    result.objects = supplied_texts.lines


def _rows(plan: GeneratePlan, supplied_texts: SuppliedTexts) -> Iterator[CaseAndRow]:
    """Yield each text that can be judged, with the input that it is about; reject the others."""
    step = plan.definition()
    for case in cases_of(plan):
        lines = supplied_texts.about(case)
        if isinstance(case, Rejected):
            continue
        for line in lines:
            row = supplied_row(step, case, line.text, line.location)
            if isinstance(row, Rejected):
                supplied_texts.rejected.append(row)
            else:
                yield case, row
