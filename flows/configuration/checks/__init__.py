"""This package finds all faults of a configuration in one pass.

The fault may be in the file, in an environment variable or in the machine. `config check`,
`rebuild`, `run rebuild` and `schedule` all use this package, so they report the same faults. Each
module here has a function `problems`, which checks the table of `rebuild.toml` with the name of the
module. A module is imported only if a key of its table is set, so a rebuild without sites loads no
code of sites.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Protocol, runtime_checkable

from benchloom.core.kinds import Kind
from flows.configuration.faults import ENVIRONMENT, ConfigurationError, Fault, Problem, dotted
from flows.configuration.file import ValidPart, folder_of, read_valid_part
from flows.configuration.keys import unknown_variables
from flows.configuration.model import NO_SOURCES, Configuration
from flows.configuration.opt_outs import opt_out_problems
from flows.configuration.table import ScheduleOptions


class CheckContext(NamedTuple):
    """The input of a check of a table of the configuration.

    Attributes:
        configuration: the values of the configuration.
        base: the folder to which paths in the configuration are relative.
        online: whether to contact the servers of URLs.
    """

    configuration: Configuration
    base: Path
    online: bool = False


@runtime_checkable
class TableCheck(Protocol):
    """The interface of each module in this folder, which checks one table of `rebuild.toml`."""

    def problems(self, context: CheckContext) -> Iterator[Problem]:
        """Yield the problems that the values of the table have."""


TABLE_CHECKS = Kind("check of a table", __name__, TableCheck)


def check_configuration(
    path: Path | None, *, online: bool = False, text: str | None = None
) -> tuple[Fault, ...]:
    """Return every fault of a configuration file, and of the variables that override its keys.

    If `text` is set, it is used in place of the file's content. With `online`, also check that
    input URLs can be read and that publication targets can be written.

    Raises:
        RunError: the file cannot be read at all.
    """
    return _faults(read_valid_part(path, text), folder_of(path), online=online)


def valid_configuration(path: Path | None) -> Configuration:
    """Return the configuration of a rebuild; raise if it has faults.

    Raises:
        ConfigurationError: the configuration has faults; the message has a line for each fault.
        RunError: the file cannot be read at all.
    """
    part = read_valid_part(path)
    if faults := _faults(part, folder_of(path), online=False):
        raise ConfigurationError(faults)
    return part.configuration


def opt_out_warnings(path: Path | None, workspace: Path) -> tuple[Fault, ...]:
    """Return warnings about opt-outs (listings or ids to leave out) that match no row."""
    part = read_valid_part(path)
    problems = opt_out_problems(part.configuration, folder_of(path), workspace)
    return tuple(map(part.with_line, problems))


def schedule_fault(schedule: ScheduleOptions) -> str | None:
    """Return why a schedule cannot run, or None if it can run or there is no schedule."""
    if schedule.cron is None:
        return None
    context = CheckContext(Configuration(schedule=schedule), Path())
    problems = TABLE_CHECKS.find("schedule").problems(context)
    return next((f"{problem.key}: {problem.message}" for problem in problems), None)


def _faults(part: ValidPart, base: Path, *, online: bool) -> tuple[Fault, ...]:
    faulty = {dotted(fault.key[:depth]) for fault in part.faults for depth in (1, 2)}
    if any(fault.key and fault.key[0] not in Configuration.model_fields for fault in part.faults):
        faulty.add("sources")  # an unknown table may be [sources] misspelt
    problems = _problems(part.configuration, base, online=online)
    faults = [part.with_line(problem) for problem in problems if faulty.isdisjoint(problem.unless)]
    variables = (Fault(line) for line in unknown_variables())
    return tuple(sorted((*part.faults, *faults, *variables), key=_in_the_file))


def _in_the_file(fault: Fault) -> tuple[bool, int]:
    """Return a sort key that orders faults by line, with faults of the environment last."""
    return fault.source == ENVIRONMENT, fault.line or sys.maxsize


def _problems(configuration: Configuration, base: Path, *, online: bool) -> Iterator[Problem]:
    if not configuration.has_sources():
        yield Problem("sources", NO_SOURCES, unless=("sources", "crawl"))
    for table, field in Configuration.model_fields.items():
        if table in TABLE_CHECKS.names() and getattr(configuration, table) != field.default:
            yield from TABLE_CHECKS.find(table).problems(CheckContext(configuration, base, online))
