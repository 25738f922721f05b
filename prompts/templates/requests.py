"""Requests of the offline writer: what a shortcut does, with every value that has to be said.

Each action gives at most one clause, made of our own words or of the filled summary of its API.
Actions with values that have to be said are all told; of the others those nearest to the result and
the first source. Where no clause can be made there is no request, rather than an empty one.
"""

from typing import TYPE_CHECKING

from benchloom.built_in_actions import SYSTEM_PREFIX
from prompts.inputs.shortcuts import Deed, ShortcutInput
from prompts.language.actions import ON_THE_WAY, PHRASES, PLUMBING, SOURCES
from prompts.language.values import plain
from prompts.templates.deeds import CALCULATION, HOST, UPDATES, clause_of, is_vague, said
from prompts.templates.sentences import NAMED_SHAPE, Choice, in_shape, join, looks_odd, shape_of

if TYPE_CHECKING:
    from prompts.language.sayable.decisions import Decision

_SHORT_WISH = 5
_LEADS = (
    "ask me ", "check whether ", "use the number ", "use the text ", "open ", "set my focus to ",
)  # fmt: skip
"""Beginnings that clauses in a row share."""
MOST_CLAUSES = 3
"""Clauses of a request; those with a value that has to be said are all told, and one more."""


def write_query(given: ShortcutInput) -> str | None:
    """A request for a shortcut, None where nothing of it can be told."""
    by_action: dict[int, list[Decision]] = {}
    for decision in given.decisions:
        by_action.setdefault(decision.action_index, []).append(decision)
    stated: set[str] = set()
    sites = _sites(given.deeds)
    told: list[tuple[int, Deed, str, bool]] = []
    for deed in given.deeds:
        decisions = by_action.get(deed.action_index, [])
        if UPDATES.search(deed.line) and not any(entry.say == "say" for entry in decisions):
            continue
        fresh = [entry for entry in decisions if entry.say != "say" or entry.value not in stated]
        found = clause_of(deed, fresh, sites[deed.action_index])
        if found is not None:
            clause, values = found
            stated |= values
            told.append((len(told), deed, clause, bool(values)))
    clauses = [clause for _, _, clause, _ in sorted(_chosen(told), key=_place)]
    clauses = list(dict.fromkeys(clauses))
    missing = [
        entry for entry in given.decisions if entry.say == "say" and entry.value not in stated
    ]
    clauses += [f"use {entry.label.partition(' (')[0]} {said(entry)}" for entry in missing]
    if all(is_vague(clause) for clause in clauses):
        return None
    clauses = _merged(clauses)
    choice = Choice(given.name + given.workflow)
    style = given.style.name if given.style is not None else ""
    wish = join(clauses)
    if len(wish.split()) < _SHORT_WISH and style == "terse":
        style = "spoken"  # a bare order of three words is no request that anybody could follow
    shape = shape_of(style, choice)
    name = " ".join(given.name.split())
    if style == "with_reason" and plain(name) and not looks_odd(name):
        shape = NAMED_SHAPE.replace("{name}", name.replace("{", "").replace("}", ""))
    return in_shape(shape, wish)


def _sites(deeds: tuple[Deed, ...]) -> dict[int, str]:
    """The site each action works on: its own, else that of the last address before it."""
    found: dict[int, str] = {}
    last = ""
    for deed in deeds:
        host = None if UPDATES.search(deed.line) else HOST.search(deed.line)
        last = host[1].lower() if host is not None else last
        found[deed.action_index] = last
    return found


def _merged(clauses: list[str]) -> list[str]:
    """Clauses that begin alike as one: `ask me "A" and "B"`."""
    numbers = [found[1] for clause in clauses if (found := CALCULATION.fullmatch(clause))]
    if len(numbers) > 1:
        at = next(i for i, clause in enumerate(clauses) if CALCULATION.fullmatch(clause))
        clauses[at] = f"do the calculation with {join(numbers)}"
        clauses = [clause for clause in clauses if not CALCULATION.fullmatch(clause)]
    if any(clause.startswith('ask me "') for clause in clauses):
        clauses = [clause for clause in clauses if clause != PHRASES["ask"]]
    merged: list[list[str]] = []
    for clause in clauses:
        lead = next((lead for lead in _LEADS if clause.startswith(lead)), "")
        if lead and merged and merged[-1][0] == lead:
            merged[-1].append(clause.removeprefix(lead))
        else:
            merged.append([lead, clause.removeprefix(lead)])
    return [f"{lead}{join(rest)}" for lead, *rest in merged]


def plain_clauses(given: ShortcutInput) -> list[str]:
    """What a shortcut does, in order and without values."""
    told = [
        (place, deed, found[0], False)
        for place, deed in enumerate(given.deeds)
        if (found := clause_of(deed, [])) is not None
    ]
    return list(dict.fromkeys(clause for _, _, clause, _ in sorted(_chosen(told), key=_place)))


def _place(entry: tuple[int, Deed, str, bool]) -> int:
    return entry[0]


def _chosen(
    told: list[tuple[int, Deed, str, bool]],
) -> list[tuple[int, Deed, str, bool]]:
    """Clauses with values, and of the others the last ones that lead to the result."""
    chosen = [entry for entry in told if entry[3]]
    most = max(MOST_CLAUSES, len(chosen) + 1)
    others = [entry for entry in told if not entry[3]]
    others.sort(key=lambda entry: (_rank(entry[1]), -entry[0]))
    seen = {entry[2] for entry in chosen}
    for entry in others:
        if len(chosen) >= most:
            break
        wanted = _rank(entry[1]) < _WAY or not chosen
        if entry[2] not in seen and wanted:
            seen.add(entry[2])
            chosen.append(entry)
    return chosen


_WAY = 2


def _rank(deed: Deed) -> int:
    """Results first, then sources, then what lies on the way, last what only holds values."""
    if SYSTEM_PREFIX + deed.api in PLUMBING:
        return 3
    if deed.api in ON_THE_WAY:
        return _WAY
    return 1 if deed.api in SOURCES else 0
