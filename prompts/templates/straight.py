"""What of a shortcut one straight sentence can tell; None where the rest would be left out.

A request of a few clauses is true only where little is done and nothing depends on choices. What
gathers the input, looks for newer versions or reports faults needs no words. A menu, or a branch
that does something else, would be told as if all of it happened, so it makes the whole
untellable; so do scripts, calculations and long chains of text operations, whose point a clause
does not show.
"""

import re
from collections.abc import Sequence

from prompts.inputs.shortcuts import Deed
from prompts.language.actions import ON_THE_WAY, SOURCES

MOST_ON_THE_WAY = 3
"""Operations on texts and numbers that a request may pass over in silence."""
UPDATES = re.compile(
    r"(new|newer|latest|current) version|check-?updates?|updates? ?(available|check)|"
    r"versions?\.json|meta\.json|\u66f4\u65b0|jiejinghe\.com|jjh_|routinehub",
    re.IGNORECASE,
)
"""Words of actions that look for a newer version of the shortcut itself: nobody asks for that."""
_BLOCKS = frozenset({"conditional", "choosefrommenu"})
_HOLDING = frozenset(
    {
        "appendvariable", "comment", "dictionary", "exit", "getvalueforkey", "getvariable",
        "gettext", "list", "nothing", "number", "output", "repeat.each", "setitemname",
        "setvalueforkey", "setvariable", "url", "vibrate", "delay",
    }
)  # fmt: skip
_REPORTS = frozenset(
    {"alert", "notification", "exit", "nothing", "vibrate", "showresult", "previewdocument"}
)
_OPAQUE = frozenset(
    {
        "repeat.count", "runscript", "runjavascriptonwebpage", "runshellscript", "runsshscript",
        "runapplescript", "calculateexpression", "random", "image.mask",
        "overlayimageonimage", "getitemtype", "handoff", "setvalueforkey", "gettypeaction",
        "measurement.convert", "gettimebetweendates", "openxcallbackurl",
        "getdevicedetails", "homeaccessory", "url.getheaders", "contacts", "location",
    }
)  # fmt: skip
"""Actions whose point no clause of ours shows."""
_SUMS = frozenset({"math", "number.random", "round", "statistics"})
"""What is worked out is the point where nothing but the result is shown."""
_WORKING = frozenset(
    {"base64encode", "text.match", "text.replace", "text.split", "text.combine", "math"}
)
_CODE = re.compile(r"data:text/|Random Item|<html|<script|function ?\(|def main", re.IGNORECASE)
_ONLINE = re.compile(r"\bIP\b|IP\u5730\u5740")
"""A condition on the address of the device asks whether it is online."""
_CHOICE = re.compile(r'\["[A-Za-z][ -Z^-z]{2,40}"(?:, "[A-Za-z][ -Z^-z]{2,40}"){1,3}\]')
"""Up to four things to choose from that are told in words."""
_PRESENCE = re.compile(r" (?:has|have) any value$| does not have any value$")
_INPUT = re.compile(
    r"If (?:\[needs input: what is|\[input of the shortcut\]|\[result of line \d+: [Cc]ount\]|"
    r"\[output: (?:Count|\u6570\u91cf)[^\]]*\])"
)


def told_deeds(deeds: Sequence[Deed]) -> tuple[Deed, ...] | None:
    """The actions that a request has to tell, in order."""
    found = _told(deeds, "")
    if found is None:
        return None
    online = any(one.api == "conditional" and _ONLINE.search(one.line) for one in deeds)
    told = tuple(
        one
        for one in found
        if not UPDATES.search(one.line) and not (online and one.api == "getipaddress")
    )
    doing = [one.api for one in told if one.api not in _HOLDING | ON_THE_WAY | SOURCES]
    opaque = _OPAQUE if set(doing) - _REPORTS else _OPAQUE | _SUMS
    if any(one.api in opaque or _CODE.search(one.line) for one in told):
        return None
    working = sum(one.api in _WORKING for one in told)
    return told if working <= MOST_ON_THE_WAY else None


def _told(deeds: Sequence[Deed], branch: str) -> list[Deed] | None:
    """The actions of one branch, with those of blocks in it that always happen."""
    found: list[Deed] = []
    for deed in deeds:
        if deed.branch != branch:
            continue
        if deed.api not in _BLOCKS:
            found.append(deed)
            continue
        inside = _of_block(deed, deeds)
        if inside is None:
            return None
        found += inside
    return found


def _of_block(block: Deed, deeds: Sequence[Deed]) -> list[Deed] | None:
    """What has to be told of a menu or condition; None where it depends on a choice."""
    lead = f"{block.branch}/{block.action_index}." if block.branch else f"{block.action_index}."
    inside = [one for one in deeds if one.branch.startswith(lead)]
    if any(UPDATES.search(one.line) for one in (block, *inside)):
        return []
    parts = {lead + one.branch.removeprefix(lead).partition("/")[0] for one in inside}
    doing = {part: _doing(inside, part) for part in sorted(parts)}
    if block.api == "choosefrommenu":
        # A choice is told by the menu itself, whatever its cases hold or do.
        nested = any(one.api == "choosefrommenu" for one in inside)
        return (
            None if nested or (any(doing.values()) and not _CHOICE.search(block.line)) else [block]
        )
    if not any(set(apis) - _REPORTS for apis in doing.values()):
        # A report in one part is about a fault; one in each is what was wanted.
        return [] if sum(bool(apis) for apis in doing.values()) < 2 else None
    if not (_INPUT.match(block.line) or _PRESENCE.search(block.line)):
        return None
    if all(api in SOURCES for apis in doing.values() for api in apis):
        return []
    if any(one.api == "exit" for one in inside):
        # What ends there is another way out, told by nothing: an error, or a different wish.
        return [] if any(one.api in _REPORTS - {"exit"} for one in inside) else None
    acting = [part for part, apis in doing.items() if set(apis) - _REPORTS - SOURCES]
    return _told(deeds, acting[0]) if len(acting) == 1 else None


def _doing(inside: Sequence[Deed], part: str) -> list[str]:
    """The APIs of a branch that do something a person would ask for."""
    return [
        one.api
        for one in inside
        if f"{one.branch}/".startswith(f"{part}/")
        and one.api not in _HOLDING | _BLOCKS | ON_THE_WAY
    ]
