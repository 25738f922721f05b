"""The command `benchloom evaluate audit`: it tests a scorer with changed gold answers."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
from typer import Argument, Option

from benchloom.core.errors import GateError
from flows.commands._help import BENCHMARKS, Commands, rare
from flows.commands.options import (
    DEFAULT_WORKSPACE,
    Functions,
    Gold,
    GoldSplit,
    Json,
    Workspace,
    finish,
)

if TYPE_CHECKING:
    from benchloom.evaluate.audit.report import Audit, Row

GROUP = Commands()


@GROUP.command(
    "audit",
    no_args_is_help=True,
    lists=BENCHMARKS,
    codes={1: "the scorer failed the audit"},
)
def audit(
    benchmark: Annotated[
        str, Argument(metavar="BENCHMARK", help="Name of a benchmark, from the list below.")
    ],
    gold: Gold = None,
    out: Annotated[Path | None, Option(metavar="DIR", help="Folder for audit.json.")] = None,
    limit: Annotated[int, Option(min=1, help="Number of gold samples to change.")] = 1000,
    seed: Annotated[int, rare(min=0, help="Seed for the random changes to gold.")] = 0,
    functions: Functions = None,
    split: GoldSplit = "",
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Test a scorer by changing gold answers and checking their scores.

    Examples:
        benchloom evaluate audit shortcuts
        benchloom evaluate audit appbench --limit 50 --out proof
    """
    from benchloom.evaluate.audit.report import audit_benchmark
    from benchloom.evaluate.board.content import AUDIT
    from benchloom.release.versions import gold_path
    from benchloom.storage.workspace import write_file

    audit_report = audit_benchmark(
        benchmark,
        gold_path(gold, workspace),
        seed=seed,
        most=limit,
        functions=functions,
        split=split,
    )
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        content = msgspec.json.format(msgspec.json.encode(audit_report), indent=1)
        write_file(out / AUDIT, content + b"\n")
    finish(audit_report, _lines(audit_report), as_json=json)
    if audit_report.broken:
        findings = tuple(
            f"{row.mutation}: {', '.join(_wrong(row, name) for name in row.broken)}"
            for row in audit_report.rows
            if row.broken
        )
        raise GateError(verdict(audit_report), findings)


def verdict(audit_report: "Audit") -> str:
    """Return a line that says whether the scorer passed and which changes were not applicable."""
    rows = [row for row in audit_report.rows if row.rules == "right"]
    applied = [row for row in rows if row.samples]
    broken = [row.mutation for row in applied if row.broken]
    if broken:
        return (
            f"audit failed: {len(broken)} of {len(applied)} changes did not change the score as "
            f"expected ({', '.join(broken)})"
        )
    absent = [row.mutation for row in rows if not row.samples]
    absent += [f"{row.mutation} of {target}" for row in applied for target in row.inapplicable]
    beside = f"; not applicable to this gold: {', '.join(absent)}" if absent else ""
    return (
        f"audit passed: {len(applied)} of {len(applied)} changes changed the score as expected"
        f"{beside}"
    )


_EXPECTED = {"gold": "the value of gold", "zero": "0", "lower": "a value that differs from gold"}


def _wrong(row: "Row", name: str) -> str:
    return f"{name} is {row.metrics[name]:.4f}, expected {_EXPECTED[row.due[name]]}"


def _lines(audit_report: "Audit") -> list[str]:
    lines = [] if audit_report.broken else [verdict(audit_report)]
    damaged = audit_report.gold_records
    left_out = f", {damaged} damaged gold records left out" if damaged else ""
    lines.append(f"{audit_report.benchmark}: {audit_report.samples} samples{left_out}")
    for row in audit_report.rows:
        if row.samples:
            figures = ", ".join(f"{name} {value:.4f}" for name, value in row.metrics.items())
            lines.append(f"  {row.mutation} ({row.rules}, {row.samples}): {figures}")
    return lines
