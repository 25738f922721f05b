"""Stage judge: apply today's rules to texts that were generated earlier."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchloom.core.errors import RunError
from benchloom.core.records import Query, Rejected, Verdict
from benchloom.storage.tables import iter_records
from flows.run.finished import open_stage
from flows.run.output import Result
from flows.run.runner import WholeStage
from flows.stages.generate.plan import GeneratePlan, cases_of
from flows.stages.generate.row_maker import OWN, CaseAndRow, Hands, RowMaker
from prompts.results.rows import Judge
from prompts.steps import Case

STAGE = "judge"


def prepare(plan: GeneratePlan, generated: Path, hands: Hands = OWN) -> WholeStage:
    """Build the stage that judges the texts in the folder `generated`.

    `plan` names the step and the input from which the texts were made.

    Raises:
        RunError: the folder of the texts contains no finished stage, or changed files.
    """
    return WholeStage(
        name=STAGE,
        tables=("verdicts",),
        write=partial(write_verdicts, plan, generated, hands),
        decides=[open_stage(generated), *plan.decides()],
    )


def write_verdicts(plan: GeneratePlan, generated: Path, hands: Hands, result: Result) -> None:
    """Write the verdicts on generated texts.

    Raises:
        RunError: the texts describe rows that the input lacks.
    """
    result.add_all("verdicts", judge_texts(plan, generated, RowMaker(plan, hands)))
    result.objects = sum(1 for _ in iter_records(generated, "queries", Query))


def judge_texts(plan: GeneratePlan, generated: Path, maker: RowMaker) -> Iterator[Verdict]:
    """Yield the verdicts on generated texts, in the order of the texts and of the input."""
    judge = Judge(plan.definition().kind)
    for case, row, looked in maker.rows(_texts(plan, generated)):
        if isinstance(case, Case) and isinstance(row, Query):
            yield from judge.judged(row, looked)[1]


def _texts(plan: GeneratePlan, generated: Path) -> Iterator[CaseAndRow]:
    """Yield each generated text with its case."""
    texts = iter_records(generated, "queries", Query)
    query = next(texts, None)
    for case in cases_of(plan):
        if isinstance(case, Rejected) or query is None or case.target_id != query.target_id:
            continue
        yield case, query
        query = next(texts, None)
    if query is not None:
        raise RunError(
            f"{generated}: {query.query_id} describes a row that is not in {plan.source}; pass "
            f"the folder from which the texts were made"
        )
