"""Requests of the offline writer: what a shortcut does, with every value that has to be said.

Each action gives at most one clause, made of our own words or of the filled summary of its API. A
request is made only where its few clauses tell all that a person would ask for: where an action
gives none, or a value that has to be said fits into none, there is no request, rather than one
that is empty, false or a list of values.
"""

from typing import TYPE_CHECKING, NamedTuple

from benchloom.core.built_in_actions import SYSTEM_PREFIX
from prompts.inputs.shortcuts import Deed, ShortcutInput
from prompts.language.actions import ON_THE_WAY, PLUMBING, SOURCES
from prompts.language.values import plain
from prompts.templates.clauses.addresses import addresses
from prompts.templates.clauses.conditions import hour_of, inside_of, outcome_of
from prompts.templates.clauses.links import downloaded, link_clause
from prompts.templates.clauses.sorting import drawers, sorting_clause
from prompts.templates.clauses.sums import sum_of
from prompts.templates.deeds import HOST, SCHEME, clause_of, is_vague
from prompts.templates.fitting import fitted, takes_input
from prompts.templates.sentences import NAMED_SHAPE, Choice, in_shape, join, looks_odd, shape_of
from prompts.templates.straight import told_deeds
from prompts.templates.uses import is_told_wrongly, when_due

if TYPE_CHECKING:
    from prompts.language.value_texts.decisions import Decision

_SHORT_WISH = 5
_LEADS = ("ask me ", "check whether ", "open ", "set my focus to ")
"""Beginnings that clauses in a row share."""
MOST_CLAUSES = 5
"""Clauses of a request that a person can still follow."""
MOST_PLAIN = 3
"""Clauses by which a category tells what a shortcut does."""


def write_query(shortcut: ShortcutInput) -> str | None:
    """A request for a shortcut, None where it would not tell the whole."""
    clauses = _clauses(shortcut)
    if clauses is None or all(is_vague(clause) for clause in clauses):
        return None
    choice = Choice(shortcut.name + shortcut.workflow)
    style = shortcut.style.name if shortcut.style is not None else ""
    wish = join(clauses)
    if len(wish.split()) < _SHORT_WISH and style == "terse":
        style = "spoken"  # a bare order of three words is no request that anybody could follow
    shape = shape_of(style, choice)
    name = " ".join(shortcut.name.split())
    if style == "with_reason" and plain(name) and not looks_odd(name):
        shape = NAMED_SHAPE.replace("{name}", name.replace("{", "").replace("}", ""))
    return in_shape(shape, wish)


def _clauses(shortcut: ShortcutInput) -> list[str] | None:
    """A clause per action that has to be told; None where one of them cannot be."""
    deeds = told_deeds(shortcut.deeds)
    if deeds is None:
        return None
    takes = takes_input(shortcut.deeds, deeds)
    request_parts = _said(shortcut, deeds, takes)
    if request_parts is None:
        return None
    clauses, stated, condition = request_parts
    if any(clause.startswith("use the text") for clause in clauses) and any(map(_changes, deeds)):
        return None  # what is shown is no longer the text
    clauses = downloaded(list(dict.fromkeys(clauses)), shortcut.deeds, deeds, takes)
    clauses = fitted(clauses, takes) or []
    if is_told_wrongly(shortcut.deeds, clauses):
        return None
    whole = all(entry.value in stated for entry in shortcut.decisions if entry.say == "say")
    if not clauses or not whole or len(clauses) > MOST_CLAUSES:
        return None
    merged = _merged(clauses)
    return [*merged[:-1], f"{merged[-1]}{condition}"]


class _Said(NamedTuple):
    """Clauses in order, the values they state, and what all of them depend on."""

    clauses: list[str]
    stated: set[str]
    condition: str


def _said(shortcut: ShortcutInput, deeds: tuple[Deed, ...], takes: str) -> _Said | None:
    """The clauses in order and the values they state; None where an action gives none."""
    by_action: dict[int, list[Decision]] = {}
    for decision in shortcut.decisions:
        by_action.setdefault(decision.action_index, []).append(decision)
    stated: set[str] = set()
    clauses: list[str] = []
    condition = ""
    sorting = drawers(deeds)
    leads = _Leads(shortcut.deeds, deeds, takes)
    for index, deed in enumerate(deeds):
        decisions = by_action.get(deed.action_index, [])
        demanded = {entry.value for entry in decisions if entry.say == "say"}
        if deed.api == "conditional":
            hour = hour_of(deed, shortcut.deeds)
            if hour is None:
                clauses.append(outcome_of(deed, shortcut.deeds))
                continue
            if not all(
                later_deed.branch.startswith(inside_of(deed)) for later_deed in deeds[index + 1 :]
            ):
                return None  # what comes behind it does not depend on it
            condition = f" if it is {hour[0]}"
            stated.add(hour[1])
            continue
        if deed.action_index in sorting:
            clauses.append(sorting_clause(list(sorting.values())))
            continue
        if not demanded - stated and not _is_told(deed):
            continue
        fresh = [entry for entry in decisions if entry.say != "say" or entry.value not in stated]
        worded_clause = leads.clause(deed, fresh, first=not clauses)
        due = when_due(deed, shortcut.deeds) if deed.api == "addnewreminder" else ""
        if worded_clause is None or due is None:
            return None
        stated |= worded_clause[1]
        clauses.append(worded_clause[0] + due)
    return _Said(clauses, stated, condition)


class _Leads:
    """Where actions lead: to a site, into an app, or wherever a link that is given does."""

    def __init__(
        self, deeds: tuple[Deed, ...], request_deeds: tuple[Deed, ...], takes: str
    ) -> None:
        self._deeds = deeds
        self._sites = _sites(request_deeds)
        self._addresses = addresses(deeds)
        self._takes = takes

    def clause(
        self, deed: Deed, decisions: "list[Decision]", *, first: bool
    ) -> tuple[str, set[str]] | None:
        """The clause of an action, and what it states; `first` where none stands before it."""
        site = self._sites[deed.action_index]
        free = not site and not any(entry.say == "say" for entry in decisions)
        address = self._addresses.get(deed.action_index)
        if free and deed.api == "openurl" and address is not None:
            return address.clause, set()
        link = link_clause(deed, self._deeds, self._takes) if free and first else ""
        return (link, set()) if link else clause_of(deed, decisions, site)


def _changes(deed: Deed) -> bool:
    return deed.api.startswith("text.") or deed.api == "base64encode"


def _is_told(deed: Deed) -> bool:
    """Whether a request tells an action that holds no value which has to be said."""
    if deed.api == "choosefrommenu" or sum_of(deed):
        return True
    return SYSTEM_PREFIX + deed.api not in PLUMBING and deed.api not in ON_THE_WAY


def _sites(deeds: tuple[Deed, ...]) -> dict[int, str]:
    """The site each action works on: its own, else that of the last address before it."""
    site_by_action: dict[int, str] = {}
    last = ""
    for deed in deeds:
        host = HOST.search(deed.line)
        if host is not None:
            last = host[1].lower()
        elif deed.api == "url" or SCHEME.search(deed.line):
            last = ""  # an address inside an app, or one that is made up on the way
        site_by_action[deed.action_index] = last
    return site_by_action


def _merged(clauses: list[str]) -> list[str]:
    """Clauses that begin alike as one: `ask me "A" and "B"`."""
    merged: list[list[str]] = []
    for clause in clauses:
        lead = next((lead for lead in _LEADS if clause.startswith(lead)), "")
        if lead and merged and merged[-1][0] == lead:
            merged[-1].append(clause.removeprefix(lead))
        else:
            merged.append([lead, clause.removeprefix(lead)])
    return [f"{lead}{join(rest)}" for lead, *rest in merged]


def plain_clauses(shortcut: ShortcutInput) -> list[str]:
    """What a shortcut does, in order and without values."""
    entries = [
        (index, deed, worded_clause[0], False)
        for index, deed in enumerate(shortcut.deeds)
        if (worded_clause := clause_of(deed, [])) is not None
    ]
    return list(dict.fromkeys(clause for _, _, clause, _ in sorted(_chosen(entries), key=_place)))


def _place(entry: tuple[int, Deed, str, bool]) -> int:
    return entry[0]


def _chosen(
    entries: list[tuple[int, Deed, str, bool]],
) -> list[tuple[int, Deed, str, bool]]:
    """Clauses with values, and of the others the last ones that lead to the result."""
    chosen = [entry for entry in entries if entry[3]]
    most = max(MOST_PLAIN, len(chosen) + 1)
    others = [entry for entry in entries if not entry[3]]
    others.sort(key=lambda entry: (_rank(entry[1]), -entry[0]))
    seen = {entry[2] for entry in chosen}
    for entry in others:
        if len(chosen) >= most:
            break
        is_useful = _rank(entry[1]) < _WAY or not chosen
        if entry[2] not in seen and is_useful:
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
