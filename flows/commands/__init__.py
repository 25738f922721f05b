"""The commands of `benchloom`: each module defines the commands of one group as `GROUP`.

The name of a module is the first word of its commands or begins with this word. So `benchloom
release export` imports only the module `release` and the modules whose names begin with `release_`.
Their commands are added to the group `release`, so a new command `benchloom release NEW` needs only
one new module `release_new`.
"""

from benchloom.core.kinds import Kind
from flows.commands._help import Commands

COMMANDS = Kind("command group", __name__, Commands, attribute="GROUP", beside=("options",))
