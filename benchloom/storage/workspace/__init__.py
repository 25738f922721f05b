"""Write files and folders of a workspace so that they are either complete or absent.

Everything is written under a temporary name in the same folder, flushed to disk and renamed, so a
killed run leaves the old state, the new state, or a temporary file that the next run removes.
"""

from benchloom.storage.workspace.files import (
    TemporaryFile,
    naming,
    read_again,
    remove_leftovers,
    write_file,
    write_json,
)
from benchloom.storage.workspace.folders import (
    RUN,
    refuse_output,
    refuse_release,
    scratch_folder,
    stage_folder,
    temporary_folder,
    workspace_lock,
)
from benchloom.storage.workspace.marks import (
    CAPTURED_LISTINGS,
    CONVERSION,
    IMPORT,
    KEY_DIGITS,
    KEYED,
    MEMORY,
    STAGE_FILE,
    STATISTICS_TABLE,
    WORLD,
    FunnelStep,
    StageMark,
    command_again,
    read_mark,
    valid_mark,
    write_mark,
)

__all__ = [
    "CAPTURED_LISTINGS",
    "CONVERSION",
    "IMPORT",
    "KEYED",
    "KEY_DIGITS",
    "MEMORY",
    "RUN",
    "STAGE_FILE",
    "STATISTICS_TABLE",
    "WORLD",
    "FunnelStep",
    "StageMark",
    "TemporaryFile",
    "command_again",
    "naming",
    "read_again",
    "read_mark",
    "refuse_output",
    "refuse_release",
    "remove_leftovers",
    "scratch_folder",
    "stage_folder",
    "temporary_folder",
    "valid_mark",
    "workspace_lock",
    "write_file",
    "write_json",
    "write_mark",
]
