"""Shortcuts written in the form of their files, as samples whose actions are predicted."""

from collections.abc import Mapping
from typing import TypeAlias

from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmark import Rules
from benchloom.evaluate.benchmarks.shortcuts import BENCHMARK
from benchloom.evaluate.benchmarks.shortcuts.positions import (
    Position,
    calls_of,
    positions,
    uuids_of,
)
from benchloom.evaluate.benchmarks.shortcuts.records import RawAction, actions_of
from benchloom.exchange.examples import Example

PREFIX = "is.workflow.actions."
Draft: TypeAlias = tuple[str, Mapping[str, Plain]]
IF: Draft = ("conditional", {"GroupingIdentifier": "G", "WFControlFlowMode": 0})
END: Draft = ("conditional", {"GroupingIdentifier": "G", "WFControlFlowMode": 2})


def samples(*drafts: Draft, essential: dict[int, set[str]] | None = None) -> list[Position]:
    """Return one sample per action of a shortcut that is to be predicted."""
    raw = [RawAction(PREFIX + name, dict(parameters)) for name, parameters in drafts]
    actions = actions_of(raw)
    example = Example(
        example_id="s",
        target_id="s",
        source="shortcuts",
        source_id="s",
        source_uri="invented",
        calls=calls_of(actions),
    )
    marked = None if essential is None else {p: frozenset(n) for p, n in essential.items()}
    uuids = uuids_of(actions)
    return list(positions(example, uuids, level="(1,5]", category="", essential=marked))


def written_action(name: str, **parameters: Plain) -> dict[str, Plain]:
    """Return an action in the form in which a model writes it."""
    return {
        "WFWorkflowActionIdentifier": PREFIX + name,
        "WFWorkflowActionParameters": parameters,
    }


def output(uuid: str, name: str = "", **more: Plain) -> dict[str, Plain]:
    """Return a result as the whole value of a parameter."""
    token: dict[str, Plain] = {
        "Type": "ActionOutput",
        "OutputUUID": uuid,
        "OutputName": name,
        **more,
    }
    return {"Value": token, "WFSerializationType": "WFTextTokenAttachment"}


def needed_input(kind: str) -> dict[str, Plain]:
    """Return a need for input as the whole value of a parameter."""
    return {"Value": {"Type": kind}, "WFSerializationType": "WFTextTokenAttachment"}


def variable(name: str) -> dict[str, Plain]:
    """Return a variable as the whole value of a parameter."""
    token: Plain = {"Type": "Variable", "VariableName": name}
    return {"Value": token, "WFSerializationType": "WFTextTokenAttachment"}


def text(*parts: str | dict[str, Plain]) -> dict[str, Plain]:
    """Return a text that contains results."""
    content = ""
    attachments: dict[str, Plain] = {}
    for part in parts:
        if isinstance(part, dict):
            units = len(content.encode("utf-16-le")) // 2
            attachments[f"{{{units}, 1}}"] = part["Value"]
        content += part if isinstance(part, str) else "\ufffc"
    value: Plain = {"string": content, "attachmentsByRange": attachments}
    return {"Value": value, "WFSerializationType": "WFTextTokenString"}


def counts(sample: Position, prediction: Plain, rules: Rules = "right") -> dict[str, float]:
    """Return the counts of an output that are not zero."""
    judgement = BENCHMARK.judge(sample, prediction, rules)
    return {name: value for name, value in judgement.counts.items() if value}


def outcome(sample: Position, prediction: Plain, rules: Rules = "right") -> str:
    """Return the outcome of a sample for this output."""
    return BENCHMARK.judge(sample, prediction, rules).outcome
