"""What becomes of results, where a clause of its own would tell it wrongly or not at all."""

import itertools
import re
from collections.abc import Sequence

from prompts.inputs.shortcuts import Deed

UPDATES = re.compile(
    r"(new|newer|latest|current) version|check-?updates?|updates? ?(available|check)|"
    r"versions?\.json|meta\.json|\u66f4\u65b0|jiejinghe\.com|jjh_|routinehub",
    re.IGNORECASE,
)
"""Words of actions that look for a newer version of the shortcut itself: nobody asks for that."""
_NAMED = re.compile(r"-> (.+)$|\bvariable: \"([^\"]+)\"\)?$")
_SHOWN = re.compile(r"\[(?:output|variable): ([^\].(]+)\]")
_SHOWING = frozenset({"showresult", "previewdocument", "setclipboard", "share"})
_SENDS = re.compile(r'\bmethod: "(?:POST|PUT|PATCH|DELETE)"')
_QUERIED = re.compile(r'https?://[^"\s?]+\?(?:[^"\s]*&)?[\w.-]+=[^&"\s\[]+')
_FILLED = re.compile(r"https?://[^\"\s?]+\?[^\"\s]*=\[(?:output|variable|needs input)")
_DUE = re.compile(r'\btime: "\[(?:output|variable): ([^\].(]+)')
_SHIFTED = re.compile(r'Operation: "Add", Unit: "(Minute|Hour|Day)", Value: \[output: ([^\].(]+)\]')


def sends(deed: Deed) -> bool:
    """Whether a request changes something where it goes: nothing is merely fetched by it."""
    return deed.api == "downloadurl" and _SENDS.search(deed.line) is not None


def is_told_wrongly(deeds: Sequence[Deed], clauses: Sequence[str]) -> bool:
    """Whether the clauses of a shortcut say what does not come out of it, or leave out for what."""
    last = deeds[-1].api if deeds else ""
    again = [other_deed.api for other_deed in deeds].count(
        "downloadurl"
    ) > 1 and last == "downloadurl"
    if again and not any(clause.startswith("download ") for clause in clauses[-1:]):
        return True  # what is fetched at last is found in what was fetched before
    fetched = [index for index, clause in enumerate(clauses) if clause.startswith("fetch the info")]
    if fetched and (fetched[-1] == len(clauses) - 1 or any(_is_fixed(deed.line) for deed in deeds)):
        return True  # what is fetched is not told, and neither what is done with it
    if ("let me choose a contact", "copy the result") in itertools.pairwise(clauses):
        return True  # what of the contact
    return _is_only_about(deeds) or _is_older(deeds)


def _is_fixed(line: str) -> bool:
    """Whether an address asks for one thing and nothing that was given goes into it."""
    return _QUERIED.search(line) is not None and not _FILLED.search(line)


def _is_only_about(deeds: Sequence[Deed]) -> bool:
    """An article of which only title or author are used."""
    for deed in deeds:
        named = _NAMED.search(deed.line) if deed.api == "getarticle" else None
        if named is not None:
            uses = [
                other_deed.line for other_deed in deeds if f"[output: {named[1]}" in other_deed.line
            ]
            if uses and all(f"[output: {named[1]}.property(" in line for line in uses):
                return True
    return False


def _is_older(deeds: Sequence[Deed]) -> bool:
    """A picture shown as it was before it was changed for the last time."""
    changed = max((n for n, deed in enumerate(deeds) if deed.api.startswith("image.")), default=-1)
    named = {
        name: index
        for index, deed in enumerate(deeds)
        if (match := _NAMED.search(deed.line)) and (name := match[1] or match[2])
    }
    return any(
        named.get(name, changed) < changed
        for deed in deeds[changed + 1 :]
        if deed.api in _SHOWING
        for name in _SHOWN.findall(deed.line)
    )


def when_due(deed: Deed, deeds: Sequence[Deed]) -> str | None:
    """When a reminder comes whose time is worked out; None where no sentence tells it.

    The time that somebody is asked for is "that many minutes later".
    """
    due = _DUE.search(deed.line)
    if due is None:
        return ""
    input_names = {
        match[1]
        for other_deed in deeds
        if other_deed.api == "ask" and (match := _NAMED.search(other_deed.line))
    }
    for other_deed in deeds:
        shifted = (
            _SHIFTED.search(other_deed.line) if other_deed.line.endswith(f"-> {due[1]}") else None
        )
        if shifted is not None and shifted[2] in input_names:
            return f" that many {shifted[1].lower()}s later"
    return None
