"""Check that every fuzz target reads or refuses mutants, and that mutants change no other row."""

import hashlib
from pathlib import Path
from random import Random

import pytest

from benchloom.core.errors import BenchloomError
from benchloom.core.records import ApiDefinition, Rejected, Shortcut
from benchloom.storage.tables import iter_records
from flows.run.runner import run_stage
from flows.stages.definitions import parse as parse_definitions
from tests.fuzz import find_targets, load_target
from tests.fuzz.corpus import mutant
from tests.fuzz.shortcuts import demo_files
from tests.support.samples.definitions import sample
from tests.support.shortcut_stages import parse
from tests.support.soak import samples

MUTANTS = samples(40, 400)
MODULES = find_targets()


@pytest.mark.long
@pytest.mark.parametrize("name", MODULES)
def test_every_mutant_is_read_or_refused(name: str) -> None:
    target = load_target(MODULES[name])
    seeds = target.seeds()
    for number in range(MUTANTS):
        try:
            target.read(mutant(target, seeds, 0, number))
        except BenchloomError:
            continue
        except Exception as fault:
            fault.add_note(f"python -m tests.fuzz {name} --number {number}")
            raise


def make_mutants(kind: str, count: int) -> dict[str, bytes]:
    """Return `count` mutants of every target of a kind by file name."""
    mutants: dict[str, bytes] = {}
    for name, module in MODULES.items():
        if name.startswith(kind):
            target = load_target(module)
            seeds = target.seeds()
            for number in range(count):
                data = mutant(target, seeds, Random(name).randrange(99), number)
                mutants[f"{name}-{number}-{hashlib.sha256(data).hexdigest()[:6]}"] = data
    return mutants


def write_files(folder: Path, files: dict[str, bytes]) -> Path:
    """Write files into a new folder and return the folder."""
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def test_damaged_shortcuts_change_no_other_row(tmp_path: Path) -> None:
    good_files = {f"m-good-{number}": data for number, data in enumerate(demo_files()[::2])}
    damaged_files = {f"{'az'[number % 2]}-{name}": data for number, (name, data)
           in enumerate(make_mutants("shortcut", 12).items())}  # fmt: skip
    rows: list[list[Shortcut]] = []
    for number, files in enumerate((good_files, good_files | damaged_files)):
        out = tmp_path / f"out{number}"
        mark = parse([write_files(tmp_path / f"in{number}", files)], out)
        shortcuts = list(iter_records(out, "shortcuts", Shortcut))
        rejected = list(iter_records(out, "rejected", Rejected))
        assert mark.objects == len(files) == len(shortcuts) + len(rejected)
        rows.append([row for row in shortcuts if row.source_uri in good_files])
    assert len(rows[0]) > 10
    assert rows[0] == rows[1]


def test_damaged_definitions_change_no_other_row(tmp_path: Path) -> None:
    good_files = dict(sample(kind) for kind in ("appintents", "sirikit", "toolkit", "wfactions"))
    suffixes = {"sirikit": ".intentdefinition", "appintents": ".actionsdata", "wfactions": ".json"}
    damaged_files = {
        f"{'az'[number % 2]}-{name}{suffixes.get(name.split('-')[1], '.sqlite')}": data
        for number, (name, data) in enumerate(make_mutants("definitions-", 8).items())
    }
    rows: list[list[ApiDefinition]] = []
    for number, files in enumerate((good_files, good_files | damaged_files)):
        folder = write_files(tmp_path / f"in{number}", files)
        stage = parse_definitions.prepare([folder], tmp_path / f"out{number}", app="org.example.a")
        run_stage(stage)
        definitions = iter_records(stage.path, "api_definitions", ApiDefinition)
        rows.append([row for row in definitions if row.source_uri in good_files])
    assert {row.source_uri for row in rows[0]} == set(good_files)
    assert rows[0] == rows[1]
