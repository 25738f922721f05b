"""Summaries of App Intents: branches over parameter values, each leaf with its conditions."""

from benchloom.core.records import Dependency, Summary, Unknown
from parsers.definitions.actionsdata.metadata import unwrapped
from parsers.definitions.building import json_text, mapping_of, text_of, texts_of
from parsers.definitions.documents import Mapping
from parsers.definitions.protocol import TextTables

Conditions = tuple[Dependency, ...]
_MAX_NESTING = 40
_OPPOSITE = {"has_value": "has_no_value", "==": "!=", "!=": "=="}


def read_branches(
    configuration: object, texts: TextTables, unknown: list[Unknown]
) -> tuple[Summary, ...]:
    """Return all leaves of a configuration with their conditions, in source order."""
    branches = _Branches(texts, unknown)
    if configuration is not None:
        branches.walk(configuration, (), 0)
    return tuple(branches.found)


class _Branches:
    def __init__(self, texts: TextTables, unknown: list[Unknown]) -> None:
        self.texts = texts
        self.unknown = unknown
        self.found: list[Summary] = []

    def walk(self, node: object, conditions: Conditions, nesting: int) -> None:
        for kind, raw in mapping_of(node).items():
            inner = mapping_of(mapping_of(raw).get("wrapper", raw))
            if nesting > _MAX_NESTING:
                self.unknown.append(Unknown("actionConfiguration", json_text(raw)[:500]))
            elif kind == "actionSummary":
                self._leaf(inner, conditions)
            elif kind == "whenClause":
                condition = _condition(mapping_of(inner.get("condition")))
                self.walk(inner.get("when"), (*conditions, condition), nesting + 1)
                other = _otherwise(condition)
                self.walk(inner.get("otherwise"), (*conditions, other), nesting + 1)
            elif kind == "switchStatement":
                for case, condition in _cases(inner):
                    self.walk(case, (*conditions, condition), nesting + 1)
            else:
                self.unknown.append(Unknown(f"actionConfiguration/{kind}", json_text(raw)[:500]))

    def _leaf(self, inner: Mapping, conditions: Conditions) -> None:
        summary = mapping_of(inner.get("summaryString"))
        template = text_of(summary.get("formatString"))
        if template is None:
            return
        visible_names = texts_of(summary.get("parameterIdentifiers"))
        others = texts_of(inner.get("otherParameterIdentifiers"))
        names = tuple(dict.fromkeys(visible_names + others))
        self.found.append(Summary(self.texts.find(template) or template, names, conditions))


def _condition(raw: Mapping) -> Dependency:
    name = text_of(raw.get("parameterIdentifier")) or ""
    operator = raw.get("comparisonOperator")
    values = (json_text(unwrapped(raw["value"])),) if "value" in raw else ()
    # Operator 0 without a value tests whether there is any value.
    if operator == 0 and not values:
        return Dependency(name, "has_value")
    return Dependency(name, f"operator {operator}", values)


def _otherwise(condition: Dependency) -> Dependency:
    relation = _OPPOSITE.get(condition.relation, f"not {condition.relation}")
    return Dependency(condition.parameter, relation, condition.values)


def _cases(inner: Mapping) -> list[tuple[object, Dependency]]:
    name = text_of(inner.get("parameterIdentifier")) or ""
    branches: list[tuple[object, Dependency]] = []
    named: list[str] = []
    defaults: list[object] = []
    raw_cases = inner.get("cases")
    for raw in raw_cases if isinstance(raw_cases, list) else []:
        case = mapping_of(raw)
        if case.get("isDefaultCase") is True or "value" not in case:
            defaults.append(case.get("configuration"))
            continue
        plain = unwrapped(case["value"])
        values = tuple(json_text(v) for v in (plain if isinstance(plain, list) else [plain]))
        named.extend(values)
        branches.append((case.get("configuration"), Dependency(name, "==", values)))
    # The default case excludes the values of all others.
    branches.extend((node, Dependency(name, "!=", tuple(named))) for node in defaults)
    return branches
