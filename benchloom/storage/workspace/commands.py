"""Which command makes a stage."""

import re
from pathlib import Path

KEY_DIGITS = 16
KEYED = re.compile(rf"-[0-9a-f]{{{KEY_DIGITS}}}$")
"""The end of a stage folder's name in a workspace: the first digits of its key."""
CONVERSION = "convert-"
"""Prefix of stages that convert dialogues, before the name of the source."""
IMPORT = "import-"
"""Prefix of stages that import foreign sets, before the name of the format."""
WORLD = "world-load-"
"""Prefix of stages that load starts of worlds, before the name of the suite."""
_COMMANDS = {
    "generated": "gather",
    "judge": "run judge",
    "judge-given": "judge",
    "parse-definitions": "parse definitions",
    "parse-listings": "parse listings",
    "parse-shortcuts": "parse shortcuts",
}
_PREFIXES = {"generate-": "generate", IMPORT: "import", WORLD: "world load", CONVERSION: "convert"}


def command_of(stage: str) -> str:
    """Return the command that makes a stage; a stage without a command is made by `rebuild`."""
    for prefix, command in _PREFIXES.items():
        if stage.startswith(prefix):
            return f"benchloom {command} {stage.removeprefix(prefix)}"
    return f"benchloom {_COMMANDS.get(stage, 'rebuild')}"


def command_again(folder: Path, stage: str = "") -> str:
    """Return the advice to remove the folder of a stage and run a command that makes it again."""
    command = command_of(stage)
    if KEYED.search(folder.name):
        command = "benchloom rebuild"
    return f"remove {folder} and run '{command}' again"
