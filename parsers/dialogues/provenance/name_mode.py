"""Make the plan of a dialogue by AppBench's published rules, which link calls by equal names.

This is the mode `name`. The mode `flow` traces every argument to its origin instead.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from benchloom.core.records import Edge, Step, StepArgument
from benchloom.exchange.formats.appbench import api_name, app_name
from parsers.dialogues.provenance.calls import Call, flags_of, outcomes_of
from parsers.dialogues.sgd.schema import Schema


class NamedCall(NamedTuple):
    """A call whose references are not determined yet.

    `arguments` are sorted by name, and `returns` are the outputs in order.
    """

    app: str
    api: str
    arguments: Sequence[tuple[str, str]]
    returns: tuple[str, ...]
    outcome: Literal["ok", "failed", "retried", "superseded"]
    definition_id: str


SUCCESS = ("success_flag",)


class PublishedApi(NamedTuple):
    """An API as AppBench publishes it, with the outputs that the test split declares."""

    app: str
    api: str
    returns: tuple[str, ...]


def published_apis(schema: Schema, test: Schema | None) -> dict[str, PublishedApi]:
    """Return the app, name and outputs under which AppBench publishes each API of a split.

    The keys are the names of our definitions.

    The outputs are those of the test split's service of the same name. If the test split lacks this
    service, they are those of its first service of the same app that has the API, and otherwise
    those of the split itself.
    """
    by_name: dict[tuple[str, str], tuple[str, ...]] = {}
    by_definition: dict[str, tuple[str, ...]] = {}
    if test is not None:
        for (service, method), api in test.apis.items():
            key = (app_name(service), api_name(service, method))
            by_name.setdefault(key, api.intent.result_slots)
            by_definition[api.definition] = api.intent.result_slots
    published = {}
    for (service, method), api in schema.apis.items():
        app, name = app_name(service), api_name(service, method)
        returns = by_definition.get(api.definition) or by_name.get((app, name))
        published[api.definition] = PublishedApi(app, name, returns or api.intent.result_slots)
    return published


def name_steps(
    calls: Sequence[Call], published: Mapping[str, PublishedApi]
) -> tuple[tuple[Step, ...], tuple[Edge, ...], tuple[str, ...]]:
    """Return steps, edges and flags for the calls of one or several concatenated dialogues.

    A plan of one transactional call returns only `success_flag`.
    """
    named = []
    outcomes = outcomes_of(calls, ())
    for call, outcome in zip(calls, outcomes, strict=True):
        app, api, returns = published[call.api.definition]
        if len(calls) == 1 and call.api.intent.is_transactional:
            returns = SUCCESS
        named.append(
            NamedCall(
                app, api, sorted(call.arguments.items()), returns, outcome, call.api.definition_id
            )
        )
    return *link_by_name(named), flags_of(calls, outcomes)


def link_by_name(calls: Sequence[NamedCall]) -> tuple[tuple[Step, ...], tuple[Edge, ...]]:
    """Return steps and edges; equal names link arguments to earlier outputs.

    An argument refers to the latest earlier call that returns an output of its name.
    """
    steps: list[Step] = []
    edges: list[Edge] = []
    latest: dict[str, int] = {}
    for index, call in enumerate(calls):
        arguments: list[StepArgument] = []
        for name, value in call.arguments:
            producer = latest.get(name)
            if producer is None:
                arguments.append(StepArgument(name, "literal", value))
            else:
                arguments.append(StepArgument(name, "reference", value, producer, name))
                edges.append(Edge(producer, name, index, name, "name"))
        steps.append(
            Step(
                index,
                call.app,
                call.api,
                tuple(arguments),
                call.returns,
                call.outcome,
                call.definition_id,
            )
        )
        latest.update(dict.fromkeys(call.returns, index))
    return tuple(steps), tuple(edges)
