"""Stage judge-given: rows and verdicts for texts that people or other tools wrote."""

import hashlib
from collections import Counter
from pathlib import Path

import msgspec

from benchloom.code_digests.stage_code import StageCode
from benchloom.errors import RunError
from benchloom.identity import ALGORITHM, tagged_digest
from benchloom.records import Rejected
from benchloom.tables import TableWriter, write_table
from benchloom.workspace import StageMark, stage_folder, write_mark
from flows.stages.generate.plan import WITHOUT, GeneratePlan, cases_of
from prompts.inputs.given_texts import STAGE as JUDGE
from prompts.inputs.given_texts import GivenText, read_given
from prompts.results.judging import Judge
from prompts.results.rows import AnyCase, given_row

STAGE = "judge-given"
CODE = StageCode(
    stage=STAGE,
    module=__name__,
    tables=("queries", "verdicts", "rejected"),
    work=("given_to_folder",),
    without=WITHOUT,
)


class _Line(msgspec.Struct, frozen=True):
    """A text that waits for the row it is about."""

    place: str
    given: GivenText


class GivenTexts:
    """The lines of a file by target, in their order, and those that are no text.

    Raises:
        RunError: the file has no end, or more lines than one run takes.
    """

    def __init__(self, path: Path) -> None:
        self.lines = 0
        self.rejected: list[Rejected] = []
        self._waiting: dict[str, dict[str, _Line]] = {}
        read = hashlib.sha256()
        with path.open("rb") as file:

            def readline(most: int) -> bytes:
                line = file.readline(most)
                read.update(line)
                return line

            for place, found in read_given(readline, path.name):
                self.lines += 1
                if isinstance(found, Rejected):
                    self.rejected.append(found)
                else:
                    self._add(place, found)
        self.digest = f"file:{ALGORITHM}:{read.hexdigest()}"

    def _add(self, place: str, given: GivenText) -> None:
        line = _Line(place, given)
        first = self._waiting.setdefault(given.target_id, {}).setdefault(given.text.strip(), line)
        if first is not line:
            self.reject((line,), "duplicate_line", f"{first.place} says the same of this row")

    def about(self, case: AnyCase | Rejected) -> tuple[_Line, ...]:
        """The texts about a row; those about a row that nothing is written about are rejected."""
        target = case.digest if isinstance(case, Rejected) else case.target_id
        lines = tuple(self._waiting.pop(target or "", {}).values())
        if isinstance(case, Rejected):
            self.reject(lines, case.reason, case.message)
            return ()
        return lines

    def reject_rest(self, source: Path) -> None:
        """Leave out what is about no row of the input."""
        for lines in self._waiting.values():
            self.reject(tuple(lines.values()), "unknown_target", f"no row of {source.name} has it")
        self._waiting.clear()

    def reject(self, lines: tuple[_Line, ...], reason: str, message: str) -> None:
        """Leave lines out for one reason."""
        for line in lines:
            digest = tagged_digest("text", msgspec.json.encode(line.given))
            self.rejected.append(Rejected(JUDGE, line.place, reason, message, digest))


def given_to_folder(plan: GeneratePlan, texts: Path, out: Path) -> StageMark:
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
        rows = _write_judged(plan, given, folder)
        given.reject_rest(plan.source)
        given.rejected.sort(key=lambda row: int(row.source_uri.rpartition(":")[2]))
        rejected = folder / "rejected.parquet"
        rows["rejected"] = write_table("rejected", given.rejected, rejected)
        mark = StageMark(
            stage=STAGE,
            key=CODE.key([plan.key(), given.digest], given=[type(step)]),
            objects=given.lines,
            rows=rows,
            reasons=dict(sorted(Counter(row.reason for row in given.rejected).items())),
        )
        write_mark(folder, mark)
    return mark


def _write_judged(plan: GeneratePlan, given: GivenTexts, folder: Path) -> dict[str, int]:
    step, judge = plan.found(), Judge(plan.found().kind)
    with (
        TableWriter("queries", folder / "queries.parquet") as queries,
        TableWriter("verdicts", folder / "verdicts.parquet") as verdicts,
    ):
        for case in cases_of(plan):
            lines = given.about(case)
            if isinstance(case, Rejected):
                continue
            for line in lines:
                row = given_row(step, case, line.given, line.place)
                if isinstance(row, Rejected):
                    given.rejected.append(row)
                    continue
                judged, found = judge.judged(step, case.given, row)
                queries.add(judged)
                for verdict in found:
                    verdicts.add(verdict)
    return {"queries": queries.rows, "verdicts": verdicts.rows}
