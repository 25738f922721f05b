"""Proved tasks of the kind `shortcut`, made from small shortcuts."""

from contextlib import closing
from pathlib import Path

import msgspec

from benchloom.core.records import Task
from benchloom.device.runs import execution_row
from benchloom.worlds.proofs import OpenWorlds, prove, row_of
from benchloom.worlds.suites.phone import candidates_of
from tests.benchloom.device.test_runs import Part, shortcut_of

_FOLDER: Part = ("file.createfolder", {"WFFilePath": "Harvest"})
_SHORTCUTS: tuple[tuple[Part, ...], ...] = (
    (("openurl", {"WFInput": "https://pears.example.org/orchard"}), _FOLDER),
    (("setclipboard", {"WFInput": "Twelve crates of pears"}),),
    (("setbrightness", {"WFBrightness": 0.25}), ("wifi.set", {"OnValue": False})),
    (("addnewreminder", {"WFCalendarItemTitle": "Water the pear tree"}),),
    (("tweet", {"WFInput": "The first pears are ripe"}),),
    (("openapp", {"WFAppIdentifier": "com.apple.mobilenotes"}),),
)


def shortcut_tasks() -> list[Task]:
    """Return the rows of the proved tasks."""
    rows = [execution_row(shortcut_of(*steps)) for steps in _SHORTCUTS]
    with closing(OpenWorlds()) as open_worlds:
        tasks = [
            prove(candidate, open_worlds, distractors=3) for candidate in candidates_of(rows, 0)
        ]
    return [row_of(task) for task in tasks]


def write_tasks(path: Path) -> Path:
    """Write the tasks as JSON lines."""
    path.write_bytes(b"".join(msgspec.json.encode(task) + b"\n" for task in shortcut_tasks()))
    return path
