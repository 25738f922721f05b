"""Tests of ShortcutsBench's published scores against a second implementation, for 20 outputs."""

import json
import plistlib
import random
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

import msgspec
import pytest

from benchloom.evaluate.benchmarks.shortcuts import BENCHMARK
from benchloom.evaluate.benchmarks.shortcuts.parameters import GROUP, MODE, UNSCORED
from benchloom.evaluate.benchmarks.shortcuts.positions import position_of
from tests.benchloom.evaluate.shortcuts.drafts import (
    PREFIX,
    Draft,
    needed_input,
    output,
    samples,
    text,
    variable,
    written_action,
)
from tests.benchloom.evaluate.shortcuts.reconstruction import NAME, PARAMETERS, counts_of
from tests.support.shared_data import shared_file

if TYPE_CHECKING:
    from benchloom.core.records.values import Plain

Parameters = dict[str, Any]
PREVIOUS_ACTIONS: tuple[Draft, ...] = (
    ("url", {"UUID": "U-1", "WFURLActionURL": "https://hens.example"}),
    ("url", {"UUID": "U-2", "WFURLActionURL": "https://geese.example"}),
    ("downloadurl", {"UUID": "U-3", "WFURL": output("U-1", "URL")}),
)
STATIC = ("count", "share", "on", "said", "mixed", "object", "list")


def draw_parameters(draw: random.Random) -> Parameters:
    """Draw parameters of an action: values, results, needs for input, texts with tokens."""
    all_parameters: Parameters = {
        "count": draw.choice([0, 3, 12]),
        "share": draw.choice([0.5, 2.0]),
        "on": draw.choice([True, False]),
        "said": draw.choice(["km", "12", "true", "2.50"]),
        "mixed": text("From ", output("U-1", "URL"), " to"),
        "object": {"a": 1, "b": [True, "x"]},
        "list": ["one", "two"],
        "result": output(draw.choice(["U-1", "U-2"]), "URL"),
        "named": output("U-3", "Contents of URL"),
        "token text": text(output("U-1", "URL")),
        "asked": needed_input("Ask"),
        "today": needed_input("CurrentDate"),
        "asked text": text(needed_input("Ask")),
        "variable": variable("hens"),
    }
    names = draw.sample(sorted(all_parameters), draw.randint(1, len(all_parameters)))
    return {name: all_parameters[name] for name in sorted(names)}


def change_each(change: Callable[[Any], Any]) -> Callable[[Parameters, random.Random], Parameters]:
    """Return a change that applies `change` to the value of every parameter."""
    return lambda parameters, _: {name: change(value) for name, value in parameters.items()}


def number_as_text(value: Any) -> Any:
    return str(value) if isinstance(value, int | float) else value


def as_texts(value: Any) -> Any:
    """Return a result as the only token of a text."""
    return text(value) if isinstance(value, dict) and "Type" in value.get("Value", {}) else value


def as_tokens(value: Any) -> Any:
    """Return the only token of a text as the whole value of the parameter."""
    inner = value.get("Value") if isinstance(value, dict) else None
    if isinstance(inner, dict) and inner.get("string") == "\ufffc":
        (token,) = inner["attachmentsByRange"].values()
        return {"Value": token, "WFSerializationType": "WFTextTokenAttachment"}
    return value


def drop_one(parameters: Parameters, draw: random.Random) -> Parameters:
    removed = draw.choice(sorted(parameters))
    return {name: value for name, value in parameters.items() if name != removed}


def replace_text(old: str, new: str) -> Callable[[Parameters, random.Random], Parameters]:
    return lambda parameters, _: json.loads(json.dumps(parameters).replace(old, new))


def reverse_keys(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: reverse_keys(value[name]) for name in reversed(value)}
    return value


KINDS: dict[str, Callable[[Parameters, random.Random], Parameters]] = {
    "gold": change_each(lambda value: value),
    "numbers as texts": change_each(number_as_text),
    "switches as numbers": change_each(
        lambda value: int(value) if isinstance(value, bool) else value
    ),
    "numbers with a fraction": change_each(
        lambda value: float(value) if type(value) is int else value
    ),
    "blank": change_each(lambda value: "" if isinstance(value, str) else value),
    "cut": change_each(lambda value: value[:1] if isinstance(value, str) else value),
    "words": change_each(lambda _: "hens"),
    "needs": change_each(lambda _: needed_input("Ask")),
    "results": change_each(lambda _: output("U-2", "URL")),
    "objects in another order": change_each(reverse_keys),
    "lists turned": change_each(lambda value: value[::-1] if isinstance(value, list) else value),
    "tokens as texts": change_each(as_texts),
    "texts as tokens": change_each(as_tokens),
    "parameter dropped": drop_one,
    "parameter added": lambda parameters, _: {**parameters, "extra": 1},
    "another id": replace_text('"U-1"', '"U-2"'),
    "another name": replace_text('"OutputName": "URL"', '"OutputName": "Page"'),
    "another id and name": lambda parameters, _: json.loads(
        json.dumps(parameters).replace('"U-1"', '"U-2"').replace('"URL"', '"Page"')
    ),
}
"""Eighteen changes of parameters; another action and an unreadable text complete the twenty."""


@pytest.mark.parametrize("seed", range(60))
def test_published_counts_match_the_reconstruction(seed: int) -> None:
    draw = random.Random(seed)
    arguments = draw_parameters(draw)
    essential = {name for name in arguments if name in STATIC}
    *_, sample = samples(*PREVIOUS_ACTIONS, ("send", arguments), essential={3: essential})
    gold = written_action("send", **arguments)
    predictions: list[tuple[str, Any]] = [
        (kind, written_action("send", **change(arguments, draw))) for kind, change in KINDS.items()
    ]
    predictions += [("another action", written_action("show", **arguments)), ("unreadable", "{")]
    assert len(predictions) == 20
    for kind, predicted in predictions:
        read_action = None if isinstance(predicted, str) else predicted
        expected_counts = counts_of(gold, read_action, essential)
        counts = BENCHMARK.judge(sample, predicted, "published").counts
        assert {name: counts[name] for name in expected_counts} == expected_counts, kind


def test_drafts_use_the_names_of_shortcut_files() -> None:
    assert set(written_action("send")) == {NAME, PARAMETERS}
    assert written_action("send")[NAME] == f"{PREFIX}send"


def test_right_rules_equate_text_of_one_token_and_token() -> None:
    pairs: tuple[tuple[Plain, Plain], ...] = (
        (text(output("U-1", "URL")), output("U-1", "URL")),
        (output("U-1", "URL"), text(output("U-1", "URL"))),
        ([text(output("U-1")), "a"], [output("U-1"), "a"]),
        ([text(output("U-1"))], [output("U-1")]),
    )
    for gold, predicted in pairs:
        *_, sample = samples(*PREVIOUS_ACTIONS, ("send", {"it": gold}))
        assert (
            BENCHMARK.judge(sample, written_action("send", it=predicted), "right").outcome
            == "right"
        )


@pytest.mark.real_data
def test_counts_match_the_reconstruction_on_real_shortcuts(tmp_path: Path) -> None:
    records = []
    with ZipFile(shared_file("shortcuts.zip")) as archive:
        for name in archive.namelist():
            if name.startswith("unsigned/") and name.endswith(".plist"):
                actions = plistlib.loads(archive.read(name))["WFWorkflowActions"]
                text = json.dumps({"shortcut": {"WFWorkflowActions": actions}}, default=str)
                records.append(json.loads(text))
    records = records[:200]
    gold = tmp_path / "gold.json"
    gold.write_text(json.dumps(records))
    draw = random.Random(3)
    comparisons = 0
    for sample in BENCHMARK.read_gold(gold):
        number = int(sample.sample_id.partition("#")[2].partition("/")[0])
        assert sample.position is not None
        raw = records[number - 1]["shortcut"]["WFWorkflowActions"][sample.position]
        unscored_names = UNSCORED | {GROUP, MODE}
        arguments = {
            k: v for k, v in (raw.get(PARAMETERS) or {}).items() if k not in unscored_names
        }
        if not arguments or draw.random() < 0.8:
            continue
        essential = frozenset(
            name
            for name, value in arguments.items()
            if isinstance(value, int | float) or (isinstance(value, str) and value.strip())
        )
        position = msgspec.structs.replace(position_of(sample), essential=essential)
        for kind, change in KINDS.items():
            predicted = {NAME: raw[NAME], PARAMETERS: change(arguments, draw)}
            expected_counts = counts_of(
                {NAME: raw[NAME], PARAMETERS: arguments}, predicted, set(essential)
            )
            counts = BENCHMARK.judge(position, predicted, "published").counts
            assert {name: counts[name] for name in expected_counts} == expected_counts, (
                sample.sample_id,
                kind,
            )
            comparisons += 1
    assert comparisons > 1000
