"""Gather the rows of a ToolKit database for each tool and each type, in the preferred language."""

from collections.abc import Iterable

from benchloom.core.records import EnumValue
from parsers.definitions import Problem
from parsers.definitions.toolkit.sqlite_tables import Database, Row

LANGUAGES = ("en", "en_US", "en_GB")
"""The preferred languages. If a text is in none of them, its alphabetically first language counts.
"""
ENUM_KINDS = frozenset({3, 4, 8})
_EXPECTED = (
    ("ToolParameterTypes", "typeId"),
    ("Triggers", "rowId"),
    ("ParameterLocalizations", "trueString"),
    ("ToolLocalizations", "localizationUsage"),
    ("EnumerationCases", "id"),
    ("ContainerMetadata", "bundleVersion"),
)
_TOOL_COLUMNS = (
    "rowId id toolType flags visibilityFlags requirements authenticationPolicy"
    " deprecationReplacementId sourceActionProvider outputTypeInstance sourceContainerId"
    " attributionContainerId"
)
_TEXT_COLUMNS = (
    "toolId locale name outputResultName descriptionSummary descriptionAttribution"
    " descriptionResult descriptionNote descriptionRequires deprecationMessage localizationUsage"
)
_PARAMETER_COLUMNS = "toolId key sortOrder typeInstance relationships flags typeId"


class ToolTables:
    """The contents of a ToolKit database, as mappings from tools, parameters and types to rows."""

    def __init__(self, database: Database) -> None:
        self.problems = [
            Problem(table, "missing_column", f"{table}.{column} is not in this schema version")
            for table, column in _EXPECTED
            if not database.has(table, column)
        ]
        self.tools = _read(database, "Tools", _TOOL_COLUMNS)
        texts = _read(database, "ToolLocalizations", _TEXT_COLUMNS)
        display_rows = [row for row in texts if row["localizationUsage"] in (None, "display")]
        written = [row for row in texts if row["localizationUsage"] == "languageModel"]
        self.texts = _best(display_rows, ("toolId",))
        self.model_texts = _best(written, ("toolId",))
        self.parameters: dict[object, list[Row]] = {}
        for row in _read(database, "Parameters", _PARAMETER_COLUMNS):
            self.parameters.setdefault(row["toolId"], []).append(row)
        self.parameter_texts = _best(
            _read(
                database,
                "ParameterLocalizations",
                "toolId key locale name description trueString falseString",
            ),
            ("toolId", "key"),
        )
        self.parameter_types = {
            (row["toolId"], row["key"]): row["typeId"]
            for row in _read(database, "ToolParameterTypes", "toolId key typeId")
        }
        self.categories = _best(
            _read(database, "Categories", "toolId locale category"), ("toolId",)
        )
        self.keywords = _keywords(_read(database, "SearchKeywords", "toolId locale keyword order"))
        self.containers = {
            row["rowId"]: row
            for row in _read(database, "ContainerMetadata", "rowId id bundleVersion")
        }
        self.types = {str(row["rowId"]): row for row in _read(database, "Types", "rowId id kind")}
        self.enumerations = _enumerations(
            _read(database, "EnumerationCases", "typeId locale id title")
        )

    def is_enumeration(self, type_id: str | None) -> bool:
        """Whether a custom type is an enumeration."""
        if type_id in self.enumerations:
            return True
        return self.types.get(type_id or "", {}).get("kind") in ENUM_KINDS


def _read(database: Database, table: str, columns: str) -> list[Row]:
    return list(database.rows(table, tuple(columns.split())))


def preference(locale: object) -> tuple[int, str]:
    """Return the sort key of a language, which puts the preferred languages before all others."""
    name = str(locale)
    return (LANGUAGES.index(name) if name in LANGUAGES else len(LANGUAGES), name)


def _best(rows: Iterable[Row], keys: tuple[str, ...]) -> dict[tuple[object, ...], Row]:
    # For each value of the columns `keys`, the row in the most preferred language.
    best_rows: dict[tuple[object, ...], Row] = {}
    for row in rows:
        key = tuple(row[name] for name in keys)
        best_row = best_rows.get(key)
        if best_row is None or preference(row["locale"]) < preference(best_row["locale"]):
            best_rows[key] = row
    return best_rows


def _keywords(rows: list[Row]) -> dict[object, tuple[str, ...]]:
    grouped: dict[object, dict[str, list[tuple[int, str]]]] = {}
    for row in rows:
        order = row["order"] if isinstance(row["order"], int) else 0
        by_locale = grouped.setdefault(row["toolId"], {})
        by_locale.setdefault(str(row["locale"]), []).append((order, str(row["keyword"])))
    return {
        tool: tuple(word for _, word in sorted(by_locale[min(by_locale, key=preference)]))
        for tool, by_locale in grouped.items()
    }


def _enumerations(rows: list[Row]) -> dict[str, tuple[EnumValue, ...]]:
    grouped: dict[str, dict[str, list[EnumValue]]] = {}
    for row in rows:
        title = row["title"] if isinstance(row["title"], str) and row["title"] else None
        by_locale = grouped.setdefault(str(row["typeId"]), {})
        by_locale.setdefault(str(row["locale"]), []).append(EnumValue(str(row["id"]), title))
    return {
        type_id: tuple(by_locale[min(by_locale, key=preference)])
        for type_id, by_locale in grouped.items()
    }
