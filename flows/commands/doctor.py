"""The command `benchloom doctor`: it checks that this machine is ready to run benchloom."""

from typing import Annotated

import msgspec
from typer import Option

from benchloom.core.errors import RunError
from flows.commands._help import Commands
from flows.commands.options import DEFAULT_WORKSPACE, Config, Json, Workspace, finish
from flows.doctor.base import Finding

GROUP = Commands()


class DoctorSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary that `doctor --json` prints.

    `lacking` lists what the configuration needs and this machine does not have.
    """

    command: str
    file: str | None
    findings: list[Finding]
    lacking: tuple[str, ...]


@GROUP.command("doctor", codes={2: "the configuration needs something that is missing"})
def doctor(
    config: Config = None,
    all_lines: Annotated[bool, Option("--all", help="Also list the checks that passed.")] = False,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Check that this machine is ready to run benchloom.

    Missing parts are listed with their purpose and the command that installs them. The command
    changes nothing, uses no network and prints no secret.

    Examples:
        benchloom doctor
        benchloom doctor --config rebuild.toml --all
    """
    from flows.configuration import find_file
    from flows.doctor import examine
    from flows.doctor.needs import needs_of

    file = find_file(config)
    findings = list(examine(needs_of(file, workspace)))
    lacking = tuple(
        finding.name for finding in findings if finding.needed and finding.state != "ok"
    )
    summary = DoctorSummary(
        command="doctor", file=str(file) if file else None, findings=findings, lacking=lacking
    )
    finish(summary, _lines(findings, all_lines=all_lines), as_json=json)
    if lacking:
        raise RunError(
            f"{file} needs packages or programs that this machine lacks: {', '.join(lacking)}"
        )


def _lines(findings: list[Finding], *, all_lines: bool) -> list[str]:
    width = max(len(finding.name) for finding in findings)
    lines = []
    for finding in findings:
        needed = " (needed)" if finding.needed and finding.state != "ok" else ""
        lines.append(f"{finding.state:<8} {finding.name:<{width}}  {finding.told}{needed}")
        if all_lines or finding.mend:
            lines.append(f"{'':<8}   for {finding.serves}")
        if finding.mend:
            lines.append(f"{'':<8}   {finding.mend}")
    return lines
