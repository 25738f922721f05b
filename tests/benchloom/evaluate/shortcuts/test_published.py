"""`published` beside a reconstruction of its own, over predictions of twenty kinds."""

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
    acted,
    needed,
    output,
    samples,
    text,
    variable,
)
from tests.benchloom.evaluate.shortcuts.reconstruction import NAME, PARAMETERS, counts_of
from tests.support.shared_data import shared_file

if TYPE_CHECKING:
    from benchloom.core.records.values import Plain

Parameters = dict[str, Any]
BEFORE: tuple[Draft, ...] = (
    ("url", {"UUID": "U-1", "WFURLActionURL": "https://hens.example"}),
    ("url", {"UUID": "U-2", "WFURLActionURL": "https://geese.example"}),
    ("downloadurl", {"UUID": "U-3", "WFURL": output("U-1", "URL")}),
)
STATIC = ("count", "share", "on", "said", "mixed", "object", "list")


def drawn(draw: random.Random) -> Parameters:
    """Parameters of an action: values, results, needs for input, texts with tokens."""
    whole: Parameters = {
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
        "asked": needed("Ask"),
        "today": needed("CurrentDate"),
        "asked text": text(needed("Ask")),
        "variable": variable("hens"),
    }
    names = draw.sample(sorted(whole), draw.randint(1, len(whole)))
    return {name: whole[name] for name in sorted(names)}


def each(change: Callable[[Any], Any]) -> Callable[[Parameters, random.Random], Parameters]:
    return lambda given, _: {name: change(value) for name, value in given.items()}


def retyped(value: Any) -> Any:
    return str(value) if isinstance(value, int | float) else value


def as_texts(value: Any) -> Any:
    """A result as the only token of a text."""
    return text(value) if isinstance(value, dict) and "Type" in value.get("Value", {}) else value


def as_tokens(value: Any) -> Any:
    """The only token of a text as the whole of the parameter."""
    inner = value.get("Value") if isinstance(value, dict) else None
    if isinstance(inner, dict) and inner.get("string") == "\ufffc":
        (token,) = inner["attachmentsByRange"].values()
        return {"Value": token, "WFSerializationType": "WFTextTokenAttachment"}
    return value


def dropped(given: Parameters, draw: random.Random) -> Parameters:
    left_out = draw.choice(sorted(given))
    return {name: value for name, value in given.items() if name != left_out}


def exchanged(old: str, new: str) -> Callable[[Parameters, random.Random], Parameters]:
    return lambda given, _: json.loads(json.dumps(given).replace(old, new))


def turned(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: turned(value[name]) for name in reversed(value)}
    return value


KINDS: dict[str, Callable[[Parameters, random.Random], Parameters]] = {
    "gold": each(lambda one: one),
    "numbers as texts": each(retyped),
    "switches as numbers": each(lambda one: int(one) if isinstance(one, bool) else one),
    "numbers with a fraction": each(lambda one: float(one) if type(one) is int else one),
    "blank": each(lambda one: "" if isinstance(one, str) else one),
    "cut": each(lambda one: one[:1] if isinstance(one, str) else one),
    "words": each(lambda _: "hens"),
    "needs": each(lambda _: needed("Ask")),
    "results": each(lambda _: output("U-2", "URL")),
    "objects in another order": each(turned),
    "lists turned": each(lambda one: one[::-1] if isinstance(one, list) else one),
    "tokens as texts": each(as_texts),
    "texts as tokens": each(as_tokens),
    "parameter dropped": dropped,
    "parameter added": lambda given, _: {**given, "extra": 1},
    "another id": exchanged('"U-1"', '"U-2"'),
    "another name": exchanged('"OutputName": "URL"', '"OutputName": "Page"'),
    "another id and name": lambda given, _: json.loads(
        json.dumps(given).replace('"U-1"', '"U-2"').replace('"URL"', '"Page"')
    ),
}
"""Eighteen ways to change parameters; another action and an unreadable text make twenty."""


@pytest.mark.parametrize("seed", range(60))
def test_it_counts_as_the_description_says(seed: int) -> None:
    draw = random.Random(seed)
    arguments = drawn(draw)
    essential = {name for name in arguments if name in STATIC}
    *_, sample = samples(*BEFORE, ("send", arguments), essential={3: essential})
    gold = acted("send", **arguments)
    predictions: list[tuple[str, Any]] = [
        (kind, acted("send", **change(arguments, draw))) for kind, change in KINDS.items()
    ]
    predictions += [("another action", acted("show", **arguments)), ("unreadable", "{")]
    assert len(predictions) == 20
    for kind, predicted in predictions:
        read = None if isinstance(predicted, str) else predicted
        expected_counts = counts_of(gold, read, essential)
        counts = BENCHMARK.judge(sample, predicted, "published").counts
        assert {name: counts[name] for name in expected_counts} == expected_counts, kind


def test_names_are_those_of_files() -> None:
    assert set(acted("send")) == {NAME, PARAMETERS}
    assert acted("send")[NAME] == f"{PREFIX}send"


def test_a_text_of_one_token_is_that_token_under_right() -> None:
    pairs: tuple[tuple[Plain, Plain], ...] = (
        (text(output("U-1", "URL")), output("U-1", "URL")),
        (output("U-1", "URL"), text(output("U-1", "URL"))),
        ([text(output("U-1")), "a"], [output("U-1"), "a"]),
        ([text(output("U-1"))], [output("U-1")]),
    )
    for gold, predicted in pairs:
        *_, sample = samples(*BEFORE, ("send", {"it": gold}))
        assert BENCHMARK.judge(sample, acted("send", it=predicted), "right").outcome == "right"


@pytest.mark.real_data
def test_it_counts_as_the_description_says_on_real_shortcuts(tmp_path: Path) -> None:
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
    seen = 0
    for sample in BENCHMARK.read_gold(gold):
        number = int(sample.sample_id.partition("#")[2].partition("/")[0])
        assert sample.position is not None
        raw = records[number - 1]["shortcut"]["WFWorkflowActions"][sample.position]
        left_out = UNSCORED | {GROUP, MODE}
        arguments = {k: v for k, v in (raw.get(PARAMETERS) or {}).items() if k not in left_out}
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
            seen += 1
    assert seen > 1000
