"""Name mode: the plan AppBench would have made from a dialogue, by its published rules."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from benchloom.core.records import Edge, Step
from benchloom.exchange.formats.appbench import api_name, app_name
from benchloom.normalise.plans.name_rule import NamedCall, link_by_name
from parsers.dialogues.sgd.schema import Schema
from parsers.dialogues.tracing.calls import Call
from parsers.dialogues.tracing.outcomes import flags_of, outcomes_of

SUCCESS = ("success_flag",)


class PublishedApi(NamedTuple):
    """An API as published: its names, and its outputs as the test split declares them."""

    app: str
    api: str
    returns: tuple[str, ...]


def published_apis(schema: Schema, test: Schema | None) -> dict[str, PublishedApi]:
    """Return every API of a split as AppBench publishes it, by definition.

    Outputs come from the test split's service of the same name, else from the first service of
    the same app in the test split that has the API, else from the split itself.
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
