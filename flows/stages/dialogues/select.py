"""Select sets of plans after a conversion, and report how much the sets overlap."""

from itertools import permutations
from pathlib import Path

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.records import ApiDefinition, PlanningPath
from benchloom.core.records.planning_path import Mode
from benchloom.normalise.plans.leakage import Leakage, leakage
from benchloom.normalise.plans.selection import Chosen, SelectionRules, choose
from benchloom.storage.tables import iter_records, write_table
from benchloom.storage.workspace import write_file

SELECTED = "selected"
REPORT = "selection.json"


class SetReport(msgspec.Struct, frozen=True, kw_only=True):
    """The counts of one selected set.

    `plans` counts the plans of each category, `left_out` the omitted candidates for each reason.
    """

    name: str
    plans: dict[str, int]
    left_out: dict[str, int]


class SelectionReport(msgspec.Struct, frozen=True, kw_only=True):
    """The report of a selection, with its rules, the counts of its sets, and their overlap."""

    rules: SelectionRules
    sets: list[SetReport]
    leakage: list[Leakage]


def read_rules(path: Path | None) -> SelectionRules:
    """Read selection rules from a YAML file; without a file return the default rules.

    Raises:
        RunError: a field of the file is unknown or invalid; the message names the field.
    """
    if path is None:
        return SelectionRules()
    try:
        return msgspec.yaml.decode(path.read_bytes(), type=SelectionRules)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise RunError(f"{path}: {error}") from error


def check_rules(rules: SelectionRules, mode: Mode) -> None:
    """Raise if the selection rules cannot be applied to plans that were made in this mode.

    Raises:
        RunError: the rules concatenate dialogues, which in the mode `name` would add references
            between these dialogues.
    """
    if rules.concatenation is not None and mode == "name":
        raise RunError(
            "--mode name cannot be combined with concatenated dialogues, because it would add "
            "references between them; use --mode flow"
        )


def write_selection(out: Path, rules: SelectionRules) -> SelectionReport:
    """Select plans from `out/planning_paths.parquet` into one folder per set.

    The services come from `out/api_definitions.parquet`. Writes
    `out/selected/<set>/planning_paths.parquet` and `out/selected/selection.json`.
    """
    excluded = frozenset(
        definition.definition_id
        for definition in iter_records(out, "api_definitions", ApiDefinition)
        if definition.app in rules.excluded_services
    )
    chosen = choose(iter_records(out, "planning_paths", PlanningPath), rules, excluded)
    for selection in chosen:
        path = out / SELECTED / selection.rules.name / "planning_paths.parquet"
        write_table("planning_paths", selection.paths, path)
    report = SelectionReport(
        rules=rules,
        sets=[_report(selection) for selection in chosen],
        leakage=[
            leakage(first.rules.name, first.paths, second.rules.name, second.paths)
            for first, second in permutations(chosen, 2)
        ],
    )
    content = msgspec.json.format(msgspec.json.encode(report), indent=1)
    write_file(out / SELECTED / REPORT, content)
    return report


def _report(chosen: Chosen) -> SetReport:
    plans: dict[str, int] = {}
    for path in chosen.paths:
        plans[path.category] = plans.get(path.category, 0) + 1
    return SetReport(name=chosen.rules.name, plans=plans, left_out=chosen.left_out)
