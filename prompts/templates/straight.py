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
from prompts.templates.clauses.conditions import hour_of, inside_of
from prompts.templates.clauses.sorting import drawers
from prompts.templates.clauses.sums import sum_of
from prompts.templates.uses import UPDATES

MOST_ON_THE_WAY = 3
"""Operations on texts and numbers that a request may pass over in silence."""
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
        "overlayimageonimage", "handoff", "setvalueforkey", "gettypeaction",
        "measurement.convert", "gettimebetweendates", "openxcallbackurl",
        "getdevicedetails", "homeaccessory", "url.getheaders", "contacts", "location",
    }
)  # fmt: skip
"""Actions whose point no clause of ours shows."""
_INPUTS = frozenset(
    {
        "ask", "dictatetext", "documentpicker.open", "getclipboard", "getlastphoto", "scanbarcode",
        "selectcontacts", "selectphoto", "takephoto",
    }
)  # fmt: skip
"""Ways in which somebody gives what the actions work on."""
_BEFORE = _HOLDING | ON_THE_WAY | _INPUTS
_SUMS = frozenset({"getitemtype", "math", "number.random", "round", "statistics"})
"""What is worked out is the point where nothing but the result is shown."""
_WORKING = frozenset(
    {"base64encode", "text.match", "text.replace", "text.split", "text.combine", "math"}
)
_CODE = re.compile(r"data:text/|Random Item|<html|<script|function ?\(|def main", re.IGNORECASE)
_ONLINE = re.compile(r"\bIP\b|IP\u5730\u5740")
"""A condition on the address of the device asks whether it is online."""
_CHOICE = re.compile(r'\["[^"\\\[\]{}]{2,40}"(?:, "[^"\\\[\]{}]{2,40}"){1,3}\]')
"""Up to four things to choose from that are told in words."""
_PRESENCE = re.compile(r" (?:has|have) any value$| does not have any value$")
_INPUT = re.compile(
    r"If (?:\[needs input: what is|\[input of the shortcut\]|\[result of line \d+: [Cc]ount\]|"
    r"\[output: (?:Count|\u6570\u91cf)[^\]]*\])"
)


_FOLLOWING = re.compile(r"If \[(?:input of the shortcut|result of line)")
"""A condition on what came just before it."""


def told_deeds(deeds: Sequence[Deed]) -> tuple[Deed, ...] | None:
    """The actions that a request has to tell, in order."""
    branch_deeds = _told(deeds, "", gathering=True)
    if branch_deeds is None:
        return None
    online = any(deed.api == "conditional" and _ONLINE.search(deed.line) for deed in deeds)
    request_deeds = tuple(
        deed
        for deed in branch_deeds
        if not UPDATES.search(deed.line) and not (online and deed.api == "getipaddress")
    )
    doing = [deed.api for deed in request_deeds if deed.api not in _HOLDING | ON_THE_WAY | SOURCES]
    opaque = _OPAQUE if set(doing) - _REPORTS else _OPAQUE | _SUMS
    if any(
        (deed.api in opaque and not sum_of(deed)) or _CODE.search(deed.line)
        for deed in request_deeds
    ):
        return None
    sorting = drawers(request_deeds)
    working = sum(
        deed.api in _WORKING and deed.action_index not in sorting and not sum_of(deed)
        for deed in request_deeds
    )
    return request_deeds if working <= MOST_ON_THE_WAY else None


def _told(deeds: Sequence[Deed], branch: str, *, gathering: bool) -> list[Deed] | None:
    """The actions of one branch, with those of blocks in it that always happen."""
    request_deeds: list[Deed] = []
    for deed in deeds:
        if deed.branch != branch:
            continue
        if deed.api not in _BLOCKS:
            request_deeds.append(deed)
            continue
        first = gathering and all(earlier_deed.api in _BEFORE for earlier_deed in request_deeds)
        inside = _of_block(deed, deeds, gathering=first)
        if inside is None:
            return None
        request_deeds += inside
    return request_deeds


def _of_block(block: Deed, deeds: Sequence[Deed], *, gathering: bool) -> list[Deed] | None:
    """What has to be told of a menu or condition; None where it depends on a choice.

    With `gathering` nothing was done before it but to take in what the actions work on.
    """
    lead = inside_of(block)
    inside = [deed for deed in deeds if deed.branch.startswith(lead)]
    if any(UPDATES.search(deed.line) for deed in (block, *inside)):
        return []
    parts = {lead + deed.branch.removeprefix(lead).partition("/")[0] for deed in inside}
    doing = {part: _doing(inside, part) for part in sorted(parts)}
    if block.api == "choosefrommenu":
        # A choice is told by the menu itself, whatever its cases hold or do.
        nested = any(deed.api == "choosefrommenu" for deed in inside)
        return (
            None if nested or (any(doing.values()) and not _CHOICE.search(block.line)) else [block]
        )
    if not any(set(apis) - _REPORTS for apis in doing.values()):
        # A report in one part is about a fault; one in each is what was wanted.
        return [] if sum(bool(apis) for apis in doing.values()) < 2 else [block]
    acting = [part for part, apis in doing.items() if set(apis) - _REPORTS - SOURCES]
    if len(acting) == 1 and hour_of(block, deeds) is not None:
        request_deeds = _told(deeds, acting[0], gathering=False)
        alone = sum(bool(apis) for apis in doing.values()) == 1
        return [block, *request_deeds] if request_deeds is not None and alone else None
    is_input_only = all(api in _INPUTS | _REPORTS for apis in doing.values() for api in apis)
    if is_input_only and gathering and _FOLLOWING.match(block.line):
        return []
    if not (_INPUT.match(block.line) or _PRESENCE.search(block.line)):
        return None
    if all(api in SOURCES for apis in doing.values() for api in apis):
        return []
    if any(deed.api == "exit" for deed in inside):
        # What ends there is another way out, told by nothing: an error, or a different wish.
        return [] if any(deed.api in _REPORTS - {"exit"} for deed in inside) else None
    return _told(deeds, acting[0], gathering=gathering) if len(acting) == 1 else None


def _doing(inside: Sequence[Deed], part: str) -> list[str]:
    """The APIs of a branch that do something a person would ask for."""
    return [
        deed.api
        for deed in inside
        if f"{deed.branch}/".startswith(f"{part}/")
        and deed.api not in _HOLDING | _BLOCKS | ON_THE_WAY
    ]
