"""The command line: one module per command group, with the group's commands in its `GROUP`.

The name of a module is the first word of its commands, or begins with it: `benchloom release
export` imports only `release` and the modules `release_...`. The commands of `release_export` are
added to those of `release`, so a new command `benchloom release NEW` needs only one new module.
"""

from benchloom.core.kinds import Kind
from flows.commands._help import Commands

COMMANDS = Kind("command group", __name__, Commands, attribute="GROUP", beside=("options",))
