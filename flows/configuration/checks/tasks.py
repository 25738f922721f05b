"""Checks the table [tasks]: the configured suites can make tasks of the requested kinds."""

from collections.abc import Iterator

from benchloom.worlds.suites import SUITES
from benchloom.worlds.task_kinds import TASK_KINDS
from flows.configuration.checks import CheckContext
from flows.configuration.faults import Problem


def problems(context: CheckContext) -> Iterator[Problem]:
    """Yield a problem for each suite of [tasks] that cannot make tasks of the requested kind."""
    for kind, options in context.configuration.tasks.kinds():
        key = f"tasks.{kind.replace('-', '_')}.suites"
        for name in options.suites:
            suite = SUITES.find(name)
            if fault := TASK_KINDS.find(kind).fault(name, suite):
                yield Problem(key, fault, name)
            elif suite.requests is None and not suite.source:
                message = f"{name} reads files that [sources] cannot contain; use 'world build'"
                yield Problem(key, message, name)
            elif suite.source and not getattr(context.configuration.sources, suite.source):
                message = f"{name} reads files: set {suite.source} in [sources]"
                yield Problem(key, message, name, unless=("sources",))
