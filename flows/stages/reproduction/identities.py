"""This release gate checks that ids are digests of their rows, and that copied columns agree.

A row with a redacted value no longer contains the values from which its id was computed, so it is
skipped.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import msgspec

from benchloom.core.icloud_links import normalise_link
from benchloom.core.identity import dialogue_id, hex_of
from benchloom.core.records import (
    ApiDefinition,
    Capture,
    Completion,
    Dialogue,
    Listing,
    PlanningPath,
    Query,
    ServiceResult,
)
from benchloom.core.records.api_definition import content_id
from benchloom.core.records.texts import GIVEN
from benchloom.release.building import placeholder_counts
from benchloom.release.gates import GateView, Part, Piece
from benchloom.release.manifest import MANIFEST
from benchloom.storage.web_archive import capture_id
from flows.stages.reproduction.redacted import is_redacted
from parsers.dialogues.sources import DIALOGUE_SOURCES
from prompts.exchange import Reply
from prompts.results.rows import query_id
from prompts.steps import Written
from scrapers.pages.site import listing_id

_SHARED = ("dialogue_id", "path_id", "split", "licence", "attribution")
"""Columns of `service_results` whose values are copied from the dialogue."""
_SOURCE = ("source", "source_uri", "source_id")
_WITHOUT_MODEL: dict[str, object] = {
    "prompt_digest": None,
    "completion_digest": None,
    "model": None,
    "tokens_in": 0,
    "tokens_out": 0,
    "usd": 0.0,
}
"""Columns of `queries` that only a model fills, with their values for other writers."""
Rule = Callable[[Any], Iterator[tuple[str, object, object]]]
"""A function that yields the derived columns of a row, each as name, released value and new value.
"""


def parts(release: GateView) -> Iterator[Part]:
    """Yield a function for each part of the release, which yields a message per wrong value."""
    for table, (record, rule) in _RULES.items():
        yield from (partial(_row_findings, piece, record, rule) for piece in release.pieces(table))
    yield from (_plan_findings, _result_findings, _body_findings, _redaction_findings)


def _row_findings(
    piece: Piece, record: type[msgspec.Struct], rule: Rule, release: GateView
) -> Iterator[str]:
    for row in release.records(piece, record):
        derived = [(n, released, right) for n, released, right in rule(row) if released != right]
        if derived and not is_redacted(row):
            row_id = next(iter(msgspec.structs.asdict(row).values()))
            for name, released, right in derived:
                values = f"{name} is {released}, but {right} if computed again"
                yield f"{piece.table}: {row_id}: {values}"


def _definition(row: ApiDefinition) -> Iterator[tuple[str, object, object]]:
    if row.origins or len(row.sources) > 1:
        return  # a merged definition has the id of its first source
    derived_id = content_id(row)
    # Our own definitions contain integers, which the table stores as floats.
    if derived_id != row.definition_id and content_id(_with_whole_limits(row)) != row.definition_id:
        yield "definition_id", row.definition_id, derived_id


def _with_whole_limits(row: ApiDefinition) -> ApiDefinition:
    parameters = tuple(
        msgspec.structs.replace(
            parameter, minimum=_whole(parameter.minimum), maximum=_whole(parameter.maximum)
        )
        for parameter in row.parameters
    )
    return msgspec.structs.replace(row, parameters=parameters)


def _whole(limit: float | None) -> float | None:
    return int(limit) if limit is not None and limit.is_integer() else limit


def _capture(row: Capture) -> Iterator[tuple[str, object, object]]:
    yield "capture_id", row.capture_id, capture_id(row.url, row.status, row.body_digest)


def _listing(row: Listing) -> Iterator[tuple[str, object, object]]:
    link = normalise_link(row.link)
    yield "icloud_id", row.icloud_id, link.ids[0] if link.ids else None
    yield "link_problem", row.link_problem, link.problem
    # An entry whose link was found later, in a redirect, keeps its earlier id.
    if row.link_capture is None or (row.page_kind != "entry" and row.listing_url):
        yield "listing_id", row.listing_id, listing_id(row.site, row)
    yield "category", row.category, row.categories[0] if row.categories else None


def _plan(row: PlanningPath) -> Iterator[tuple[str, object, object]]:
    yield "steps", [step.index for step in row.steps], list(range(len(row.steps)))


def _result(row: ServiceResult) -> Iterator[tuple[str, object, object]]:
    yield "rows", [result_row.rank for result_row in row.rows], list(range(len(row.rows)))


def _query(row: Query) -> Iterator[tuple[str, object, object]]:
    # A request of a dataset keeps its id, whatever answer the dataset records.
    structured = None if row.generator == GIVEN else row.structured
    written = Written(row.text, structured, row.category)
    yield "query_id", row.query_id, query_id(row.target_id, row.kind, row.generator, written)
    if row.generator != "llm":
        for name, empty in _WITHOUT_MODEL.items():
            yield name, getattr(row, name), empty
    if row.generator == GIVEN:
        yield "style", row.style, None


def _completion(row: Completion) -> Iterator[tuple[str, object, object]]:
    reply = Reply(
        status=row.status,  # type: ignore[arg-type]  # every status is part of the digest
        content=row.content,
        tokens_in=row.tokens_in,
        tokens_out=row.tokens_out,
        served_model=row.served_model,
    )
    yield "completion_digest", row.completion_digest, reply.digest(row.request_digest)


def _dialogue(row: Dialogue) -> Iterator[tuple[str, object, object]]:
    yield "dialogue_id", row.dialogue_id, dialogue_id(row.source, row.source_split, row.source_id)
    if row.source in DIALOGUE_SOURCES.names():
        source = DIALOGUE_SOURCES.find(row.source)
        yield "licence", row.licence, source.licence
        yield "attribution", row.attribution, f"{source.title}, {source.address}"


_RULES: dict[str, tuple[type[msgspec.Struct], Rule]] = {
    "api_definitions": (ApiDefinition, _definition),
    "captures": (Capture, _capture),
    "completions": (Completion, _completion),
    "dialogues": (Dialogue, _dialogue),
    "listings": (Listing, _listing),
    "planning_paths": (PlanningPath, _plan),
    "queries": (Query, _query),
    "service_results": (ServiceResult, _result),
}


def _plan_findings(release: GateView) -> Iterator[str]:
    """Check that plans and dialogues refer to each other, and yield a message if they do not."""
    locations: defaultdict[object, set[tuple[object, ...]]] = defaultdict(set)
    columns = ["path_id", *_SOURCE, "source_split"]
    for path, *location in release.rows("dialogues", columns):
        if path is not None:
            locations[path].add(tuple(location))
    if not locations:
        return
    columns = ["path_id", "source", "dialogues"]
    for path, source, dialogues in release.rows("planning_paths", columns):
        listed_dialogues = {
            (source, dialogue["source_uri"], dialogue["source_id"], dialogue["split"])
            for dialogue in _list(dialogues)
        }
        if path in locations and listed_dialogues != locations[path]:
            names = sorted({str(location[2]) for location in listed_dialogues ^ locations[path]})
            yield (
                f"planning_paths: {path}: its dialogues are not those with this path_id: "
                f"{', '.join(names)}"
            )


def _result_findings(release: GateView) -> Iterator[str]:
    """Yield a message if a column of `service_results` contradicts its dialogue or definition."""
    dialogues = {
        tuple(location): dict(zip(_SHARED, values, strict=True))
        for *values, source, uri, source_id in release.rows("dialogues", [*_SHARED, *_SOURCE])
        for location in [(source, uri, source_id)]
    }
    apis = {
        definition_id: (app, api)
        for definition_id, app, api in release.rows(
            "api_definitions", ["definition_id", "app", "api"]
        )
    }
    called = ["service", "method", "definition_id", "call"]
    numbers: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
    for *values, service, method, definition, call in release.rows(
        "service_results", [*_SOURCE, *_SHARED, *called]
    ):
        location = f"service_results: {values[2]} call {call}"
        numbers[tuple(values[:3])].append(int(str(call)))
        original = dialogues.get(tuple(values[:3]), {})
        for name, released in zip(_SHARED, values[3:], strict=True):
            if original and released != original[name]:
                yield f"{location}: {name} is {released}, but {original[name]} in its dialogue"
        app, api = apis.get(definition) or (service, method)
        if app != service or str(api).rpartition(".")[2] != method:
            yield f"{location}: {service}.{method} has the definition of another API, {api}"
    for (*_, source_id), calls in numbers.items():
        if sorted(calls) != list(range(len(calls))):
            numbered = f"its calls have the numbers {sorted(calls)}, not 0, 1, 2, ..."
            yield f"service_results: {source_id}: {numbered}"


def _body_findings(release: GateView) -> Iterator[str]:
    """Yield a message if a listing or iCloud record lacks the digest of its captured bytes."""
    bodies: defaultdict[object, set[str]] = defaultdict(set)
    sites: defaultdict[object, set[object]] = defaultdict(set)
    for row_id, digest, site in release.rows("captures", ["capture_id", "body_digest", "site"]):
        bodies[row_id].add(hex_of(str(digest)))
        sites[row_id].add(site)
    body_digests = (
        ("listings", "listing_id", "capture"),
        ("icloud_records", "icloud_id", "asset_capture"),
    )
    for table, id_column, column in body_digests:
        for row_id, digest, capture in release.rows(table, [id_column, "source_digest", column]):
            if (
                capture in bodies
                and digest is not None
                and hex_of(str(digest)) not in bodies[capture]
            ):
                fault = f"source_digest is {digest}, but its capture has other bytes"
                yield f"{table}: {row_id}: {fault}"
    for row_id, site, capture in release.rows("listings", ["listing_id", "site", "capture"]):
        if capture in sites and site not in sites[capture]:
            yield f"listings: {row_id}: site is {site}, but its capture is of another site"


def _redaction_findings(release: GateView) -> Iterator[str]:
    """Yield a message if the manifest does not count the placeholders of the tables correctly."""
    counted = placeholder_counts(release.folder, release.manifest.files)
    if counted != release.manifest.redactions:
        stated = release.manifest.redactions
        yield f"{MANIFEST}: redactions are {stated}, but the tables contain {counted}"


def _list(value: object) -> list[dict[str, object]]:
    return value if isinstance(value, list) else []
