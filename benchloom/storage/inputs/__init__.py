"""Read the INPUT arguments of a command: files, folders and archives, which are not unpacked.

Limits of size keep a damaged or hostile file from exhausting the machine.
"""

from benchloom.storage.inputs.archive import captured_object
from benchloom.storage.inputs.listing import (
    InputFile,
    SourceFile,
    each_file,
    each_object,
    list_objects,
    nothing_in,
    nothing_under,
    refuse_changes,
    source_file,
    source_files,
)
from benchloom.storage.inputs.objects import (
    MEMBER,
    InputLimits,
    SourceObject,
    exclude_folders,
    refuse_missing,
)
from benchloom.storage.inputs.stretches import (
    Stretch,
    pack_names,
    planned_objects,
    stretches,
    unpack_names,
)

__all__ = [
    "MEMBER",
    "InputFile",
    "InputLimits",
    "SourceFile",
    "SourceObject",
    "Stretch",
    "captured_object",
    "each_file",
    "each_object",
    "exclude_folders",
    "list_objects",
    "nothing_in",
    "nothing_under",
    "pack_names",
    "planned_objects",
    "refuse_changes",
    "refuse_missing",
    "source_file",
    "source_files",
    "stretches",
    "unpack_names",
]
