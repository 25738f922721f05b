"""Read summaries of App Intents, which have branches for different parameter values."""

from collections.abc import Iterator

from benchloom.core.records import Dependency, Summary, Unknown
from parsers.definitions import TextTables
from parsers.definitions.actionsdata.metadata import unwrapped
from parsers.definitions.documents import Mapping
from parsers.definitions.values import (
    json_text,
    list_of,
    mapping_of,
    text_of,
    texts_of,
    unknown_part,
)

Conditions = tuple[Dependency, ...]
_MAX_NESTING = 40
_OPPOSITE = {"has_value": "has_no_value", "==": "!=", "!=": "=="}


def read_branches(
    configuration: object, texts: TextTables, unknown: list[Unknown]
) -> tuple[Summary, ...]:
    """Return the summary in each branch with the branch's conditions, in the order of the file."""

    def leaves(node: object, conditions: Conditions, nesting: int) -> Iterator[Summary]:
        for kind, raw in mapping_of(node).items():
            inner = mapping_of(mapping_of(raw).get("wrapper", raw))
            if nesting > _MAX_NESTING:
                unknown.append(unknown_part("actionConfiguration", raw))
            elif kind == "actionSummary":
                yield from _leaf(inner, conditions, texts)
            elif kind in ("whenClause", "switchStatement"):
                for branch, condition in (_when if kind == "whenClause" else _cases)(inner):
                    yield from leaves(branch, (*conditions, condition), nesting + 1)
            else:
                unknown.append(unknown_part(f"actionConfiguration/{kind}", raw))

    return tuple(leaves(configuration, (), 0))


def _leaf(inner: Mapping, conditions: Conditions, texts: TextTables) -> Iterator[Summary]:
    summary = mapping_of(inner.get("summaryString"))
    template = text_of(summary.get("formatString"))
    if template is not None:
        visible_names = texts_of(summary.get("parameterIdentifiers"))
        other_keys = texts_of(inner.get("otherParameterIdentifiers"))
        names = tuple(dict.fromkeys(visible_names + other_keys))
        yield Summary(texts.find(template) or template, names, conditions)


def _when(inner: Mapping) -> list[tuple[object, Dependency]]:
    condition = _condition(mapping_of(inner.get("condition")))
    opposite = _OPPOSITE.get(condition.relation, f"not {condition.relation}")
    otherwise = Dependency(condition.parameter, opposite, condition.values)
    return [(inner.get("when"), condition), (inner.get("otherwise"), otherwise)]


def _condition(raw: Mapping) -> Dependency:
    name = text_of(raw.get("parameterIdentifier")) or ""
    operator = raw.get("comparisonOperator")
    values = (json_text(unwrapped(raw["value"])),) if "value" in raw else ()
    # Operator 0 without a value tests whether there is any value.
    if operator == 0 and not values:
        return Dependency(name, "has_value")
    return Dependency(name, f"operator {operator}", values)


def _cases(inner: Mapping) -> list[tuple[object, Dependency]]:
    name = text_of(inner.get("parameterIdentifier")) or ""
    branches: list[tuple[object, Dependency]] = []
    names: list[str] = []
    defaults: list[object] = []
    for raw in list_of(inner.get("cases")):
        case = mapping_of(raw)
        if case.get("isDefaultCase") is True or "value" not in case:
            defaults.append(case.get("configuration"))
            continue
        plain = unwrapped(case["value"])
        values = tuple(json_text(v) for v in (plain if isinstance(plain, list) else [plain]))
        names.extend(values)
        branches.append((case.get("configuration"), Dependency(name, "==", values)))
    # The default case excludes the values of all other cases.
    branches.extend((node, Dependency(name, "!=", tuple(names))) for node in defaults)
    return branches
