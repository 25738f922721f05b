"""Check that descriptions of the real archive pass the audit, except for known counts."""

import json
import zipfile
from collections import Counter

import pytest

from benchloom.normalise.definitions import DefinitionIndex
from benchloom.normalise.definitions.control_definitions import with_control_actions
from parsers.definitions import DefinitionContext, parse_definitions
from parsers.shortcuts import parse_shortcut
from parsers.shortcuts.arguments import with_implicit_inputs
from parsers.shortcuts.wording.filled_summaries import describe_calls
from tests.support.shared_data import shared_file
from tests.support.workflow_audit import count_broken_rules

pytestmark = pytest.mark.real_data
TOOLKIT = "toolkit-ios26.1.sqlite"
KNOWN_FAULTS = {
    "literal_missing": 64,  # operands that do not apply, and texts of several lines
    "nothing_given": 6,  # albums and media types without a choice
    "placeholder_left": 42,  # placeholder characters in texts without a token
}
"""Maximum number of lines that break a rule; no line may break any other rule."""


def test_audit_finds_only_known_faults() -> None:
    with zipfile.ZipFile(shared_file("toolkit_ios26.zip")) as archive:
        toolkit = parse_definitions(archive.read(TOOLKIT), DefinitionContext(TOOLKIT))
    index = DefinitionIndex(with_control_actions(toolkit.definitions))
    counts: Counter[str] = Counter()
    with zipfile.ZipFile(shared_file("shortcuts.zip")) as archive:
        for entry in json.loads(archive.read("manifest.json")):
            shortcut = parse_shortcut(archive.read(entry["file"]), entry["file"])
            actions = with_implicit_inputs(shortcut, index.find)
            counts += count_broken_rules(actions, describe_calls(actions, index.find))
    assert counts.keys() <= KNOWN_FAULTS.keys(), counts
    assert all(counts[rule] <= limit for rule, limit in KNOWN_FAULTS.items()), counts
