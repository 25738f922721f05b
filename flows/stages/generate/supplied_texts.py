"""Stage judge-given: rows and verdicts for texts that people or other tools wrote."""

from collections.abc import Iterator
from pathlib import Path

from benchloom.core.errors import RunError
from benchloom.core.identity import ALGORITHM
from benchloom.core.progress import under_way
from benchloom.core.records import Query, Rejected
from benchloom.storage.sealing import file_digest
from flows.run.finished import FinishedStage
from flows.run.output import Result, result_in
from flows.stages.generate.batches import CaseAndRow
from flows.stages.generate.plan import GeneratePlan, cases_of
from flows.stages.generate.row_maker import OWN, Hands, making
from prompts.results.judging import Judge
from prompts.results.rows import supplied_row
from prompts.results.supplied import SuppliedTexts

STAGE = "judge-given"


def supplied_to_folder(
    plan: GeneratePlan, texts: Path, out: Path, hands: Hands = OWN
) -> FinishedStage:
    """Write `queries`, `verdicts` and `rejected` for the texts in the lines of a file.

    The rows are in the order of the input. `plan` names the step whose rules apply to the
    texts, and the input that the texts are about.

    Raises:
        RunError: the step writes no texts, or the file has no end.
    """
    step = plan.found()
    if step.judges:
        raise RunError(
            f"'{plan.step}' writes no texts; name the step that could have written these"
        )
    supplied_texts = SuppliedTexts(texts)
    with result_in(out, STAGE, ("queries", "verdicts", "rejected")) as result:
        _add_judged(plan, supplied_texts, result, hands)
        supplied_texts.reject_rest(plan.source)
        supplied_texts.rejected.sort(key=lambda row: int(row.source_uri.rpartition(":")[2]))
        for row in supplied_texts.rejected:
            result.reject(row)
        result.objects = supplied_texts.lines
        result.decides = [*plan.decides(), supplied_texts.digest]
    return result.finished


def what_decides(plan: GeneratePlan, texts: Path) -> list[str]:
    """What the rows about the texts in a file depend on, without reading the texts."""
    return [*plan.decides(), f"file:{ALGORITHM}:{file_digest(texts)}"]


def _add_judged(
    plan: GeneratePlan, supplied_texts: SuppliedTexts, result: Result, hands: Hands
) -> None:
    step, judge = plan.found(), Judge(plan.found().kind)
    with (
        making(plan, result.folder, hands) as maker,
        under_way(f"judge {plan.step}", supplied_texts.lines, "texts") as progress,
    ):
        for case, row, looked in maker.made(_rows(plan, supplied_texts)):
            if isinstance(case, Rejected) or not isinstance(row, Query):
                continue
            judged, verdicts = judge.judged_before(step, row, looked)
            progress.advance()
            result.add("queries", judged)
            for verdict in verdicts:
                result.add("verdicts", verdict)


def _rows(plan: GeneratePlan, supplied_texts: SuppliedTexts) -> Iterator[CaseAndRow]:
    """Yield each text that can be judged together with its case; reject the other texts."""
    step = plan.found()
    for case in cases_of(plan):
        lines = supplied_texts.about(case)
        if isinstance(case, Rejected):
            continue
        for line in lines:
            row = supplied_row(step, case, line.given, line.place)
            if isinstance(row, Rejected):
                supplied_texts.rejected.append(row)
            else:
                yield case, row
