"""Links that somebody gives: opened, shown, or fetched for what they lead to."""

import re
from collections.abc import Sequence

from prompts.inputs.shortcuts import Deed
from prompts.templates.uses import sends

_CLAUSES = {
    "downloadurl": "download what is behind the {}",
    "openurl": "open the {}",
    "showwebpage": "show me the page behind the {}",
}
GIVEN = {
    "take what I share with you": "that I share with you",
    "take what I have copied": "that I have copied",
}
"""How a thing is called that is taken first."""


_CHOOSING = ("let me choose between ", "let me pick from ")
_FETCHED = "fetch the information "
_PASSING = frozenset(
    {
        "conditional", "count", "detect.link", "detect.text", "getclipboard", "getitemfromlist",
        "getvariable", "nothing", "setvariable", "url.expand",
    }
)  # fmt: skip
"""What leaves a link the link it was."""
_OF_SITE = re.compile(r'^If .{1,60} "((?:[a-z0-9-]{2,30}\.){1,2}(?:com|net|org|be|tv))"$')
_GIVEN = re.compile(r"\[needs input: what is |\[input of the shortcut")


def downloaded(
    clauses: Sequence[str], deeds: Sequence[Deed], request_deeds: Sequence[Deed], takes: str
) -> list[str]:
    """The clauses of a link of which one of several things is chosen and fetched in the end.

    What is fetched on the way is the list of these things, for which nobody asks.
    """
    chosen = any(clause.startswith(_CHOOSING) for clause in clauses)
    last = request_deeds[-1] if request_deeds else None
    if last is None or last.api != "downloadurl" or takes not in GIVEN or not chosen:
        return list(clauses)
    return [
        *(clause for clause in clauses if not clause.startswith(_FETCHED)),
        _phrase(deeds, "downloadurl", takes),
    ]


def link_clause(deed: Deed, deeds: Sequence[Deed], takes: str) -> str:
    """The wish for a link that is shared or copied; empty for other actions and other input.

    `deeds` are all of the shortcut: what changes the link, or brings another one, is no such wish.
    """
    if deed.api not in _CLAUSES or takes not in GIVEN or sends(deed):
        return ""
    before = [
        earlier_deed for earlier_deed in deeds if earlier_deed.action_index < deed.action_index
    ]
    given_at = [
        index for index, earlier_deed in enumerate(before) if _GIVEN.search(earlier_deed.line)
    ]
    if any(
        earlier_deed.api not in _PASSING
        for earlier_deed in before[given_at[-1] if given_at else 0 :]
    ):
        return ""
    return _phrase(deeds, deed.api, takes)


def _phrase(deeds: Sequence[Deed], api: str, takes: str) -> str:
    """The wish with the site that the link is to be of, where a condition asks for one."""
    site_matches = (_OF_SITE.search(deed.line) for deed in deeds if deed.api == "conditional")
    site = next((f"{match[1]} " for match in site_matches if match), "")
    return _CLAUSES[api].format(f"{site}link {GIVEN[takes]}")
