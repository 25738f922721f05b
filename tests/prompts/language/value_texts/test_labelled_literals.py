"""Decisions about literals of the real archive against labels, half of which rules never saw.

195 of 200 literals whose label was the same in two readings, at most three of a parameter. What is
demanded already by an equal literal, or is one too many, counts as what has to be said. Five words
of alerts and notifications, and a code in a list, were labelled again, as what may be said, by
decision 0135.
"""

import zipfile
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from benchloom.core.identity import hex_of
from benchloom.core.records import Shortcut
from parsers.shortcuts import parse_shortcut
from prompts.language.value_texts.decisions import Decision, decide_all
from prompts.language.value_texts.literals import ActionRow
from tests.support.shared_data import shared_file

pytestmark = pytest.mark.real_data

LABELS = Path(__file__).parents[3] / "data/sayable_literals.yaml"
Label = tuple[str, int, str, int, str, str]
DEMANDED = frozenset({"said_already", "one_too_many"})


def decisions_of(shortcut: Shortcut) -> tuple[Decision, ...]:
    rows = msgspec.convert(shortcut.actions, tuple[ActionRow, ...], from_attributes=True)
    return decide_all(rows, shortcut.workflow, {})


@pytest.fixture(scope="module")
def compared() -> dict[str, Counter[tuple[str, str]]]:
    """How often each label met each decision, by half."""
    labels = msgspec.yaml.decode(LABELS.read_bytes(), type=tuple[Label, ...])
    shortcut_digits = {label[0] for label in labels}
    decisions_by_digits: dict[str, tuple[Decision, ...]] = {}
    with zipfile.ZipFile(shared_file("shortcuts.zip")) as archive:
        for name in archive.namelist():
            if name.endswith((".plist", ".shortcut", ".json")) and name != "manifest.json":
                shortcut = parse_shortcut(archive.read(name), name)
                digits = hex_of(shortcut.shortcut_id)[:16]
                if digits in shortcut_digits and digits not in decisions_by_digits:
                    decisions_by_digits[digits] = decisions_of(shortcut)
    counts: dict[str, Counter[tuple[str, str]]] = {"tuned_on": Counter(), "kept_aside": Counter()}
    for digits, action, parameter, position, label, half in labels:
        decision = [
            entry
            for entry in decisions_by_digits[digits]
            if (entry.action_index, entry.parameter) == (action, parameter)
        ][position]
        counts[half][label, "say" if decision.reason in DEMANDED else decision.say] += 1
    return counts


def test_every_label_met_its_literal(compared: dict[str, Counter[tuple[str, str]]]) -> None:
    assert {half: sum(counts.values()) for half, counts in compared.items()} == {
        "tuned_on": 98,
        "kept_aside": 97,
    }


@pytest.mark.parametrize("half", ["tuned_on", "kept_aside"])
def test_what_must_be_said_is_found_and_nothing_else(
    compared: dict[str, Counter[tuple[str, str]]], half: str
) -> None:
    counts = compared[half]
    right = counts["say", "say"]
    assert right / sum(n for (_, said), n in counts.items() if said == "say") > 0.9
    # One label of six, two of thirteen: decimals and operands, which good requests leave out.
    assert right / sum(n for (label, _), n in counts.items() if label == "say") > 0.83
    assert sum(n for (label, said), n in counts.items() if label == said) / counts.total() > 0.93
