"""Build the targets of the labelled texts from only the archive members that they need."""

import json
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import msgspec

from benchloom.core.records import Rejected
from flows.run.runner import run_whole
from flows.stages.definitions import parse as parse_definitions
from prompts.steps import STEPS, Case, Sampling
from tests.support.shared_data import shared_file
from tests.support.shortcut_stages import parse
from tests.support.stages import convert

LIST = Path(__file__).parent / "targets.yaml"
DEFINITIONS = ("toolkit_ios26.zip", "api_definitions.zip")


class Target(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A target, with its id and the archive member that contains it."""

    id: str
    member: str
    file: str = ""


class Targets(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A list of targets, keyed by the names that the labelled texts use."""

    shortcuts: dict[str, Target]
    plans: dict[str, Target]


def load_targets() -> Targets:
    """Return the targets listed in `targets.yaml` beside this module."""
    return msgspec.yaml.decode(LIST.read_bytes(), type=Targets)


def build_cases(folder: Path) -> dict[tuple[str, str], Case[msgspec.Struct]]:
    """Return the case of each step and target, keyed by their two names."""
    targets = load_targets()
    shortcuts, plans = folder / "shortcuts", folder / "plans"
    inputs = [_extract_shortcuts(folder / "members", targets)]
    parse(inputs, shortcuts)
    run_whole(
        parse_definitions.prepare_catalogue([shared_file(name) for name in DEFINITIONS]),
        folder / "definitions",
    )
    table = "api_definitions.parquet"
    (shortcuts / table).write_bytes((folder / "definitions" / table).read_bytes())
    convert("sgd", [_extract_dialogues(folder / "sgd", targets)], plans)
    cases_by_target: dict[tuple[str, str], Case[msgspec.Struct]] = {}
    for step, source, names in (
        ("query", shortcuts, targets.shortcuts),
        ("category", shortcuts, targets.shortcuts),
        ("instruction", plans, targets.plans),
    ):
        by_id = {case.target_id: case for case in _cases(step, source)}
        cases_by_target |= {(step, name): by_id[target.id] for name, target in names.items()}
    return cases_by_target


def _cases(step: str, folder: Path) -> Iterator[Case[msgspec.Struct]]:
    for case in STEPS.find(step).cases(folder, Sampling()):
        if not isinstance(case, Rejected):
            yield case


def _extract_shortcuts(folder: Path, targets: Targets) -> Path:
    """Extract only the shortcut files of the targets and return their folder."""
    folder.mkdir()
    member_names = {target.member for target in targets.shortcuts.values()}
    with zipfile.ZipFile(shared_file("shortcuts.zip")) as archive:
        for name in archive.namelist():
            if Path(name).stem.rpartition("__")[2] in member_names:
                (folder / Path(name).name).write_bytes(archive.read(name))
    return folder


def _extract_dialogues(folder: Path, targets: Targets) -> Path:
    """Extract the targets' dialogues and their splits' schemas, and return the folder."""
    members_by_file = defaultdict(set)
    for target in targets.plans.values():
        members_by_file[target.file].add(target.member)
    with zipfile.ZipFile(shared_file("sgd.zip")) as archive:
        root = archive.namelist()[0].partition("/")[0]
        for file, members in sorted(members_by_file.items()):
            split = folder / Path(file).parent
            split.mkdir(parents=True, exist_ok=True)
            (split / "schema.json").write_bytes(archive.read(f"{root}/{split.name}/schema.json"))
            dialogues = json.loads(archive.read(f"{root}/{file}"))
            target_dialogues = [
                dialogue for dialogue in dialogues if dialogue["dialogue_id"] in members
            ]
            (folder / file).write_text(json.dumps(target_dialogues))
    return folder
