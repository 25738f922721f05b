"""Section: API definitions by source, app and parameters."""

from benchloom.release.describing.counting import (
    Spans,
    count_filled,
    count_values,
    list_sizes,
    ranked_values,
    without_missing,
)
from benchloom.release.describing.figures import Figure, Section, ranked
from benchloom.release.describing.tables import ReleaseTables

TABLES = ("api_definitions",)
ORDER = 40

_PARAMETERS = Spans([0, 1, 2, 3, 4, 5, 6, 8, 11, 21])


def section(tables: ReleaseTables) -> Section:
    """Return the statistics of API definitions."""
    rows = tables.rows()["api_definitions"]
    apps = count_values(tables, "api_definitions", "app")
    kinds = count_values(tables, "api_definitions", "parameters.type_kind")
    described = count_filled(tables, "api_definitions", "description")
    sizes = list_sizes(tables, "api_definitions", "parameters")
    return Section(
        "api_definitions",
        "API definitions",
        "What apps declare about the APIs that shortcuts and plans call.",
        (
            Figure("api_definitions.rows", "definitions", rows),
            Figure("api_definitions.apps", "apps", len(without_missing(apps))),
            Figure("api_definitions.parameters", "parameters", sum(kinds.values())),
            Figure("api_definitions.described", "with a description", described),
        ),
        (
            ranked_values(
                tables, "api_definitions.source_kind", "Formats of definitions", "definitions"
            ),
            ranked("api_definitions.app", "Apps with most APIs", "definitions", apps),
            _PARAMETERS.chart("api_definitions.size", "Parameters per API", "definitions", sizes),
            ranked("api_definitions.type_kind", "Kinds of parameters", "parameters", kinds),
        ),
    )
