"""Clauses that fit each other: texts go to what is done with them, "it" has something to mean."""

import re
from collections.abc import Sequence

from prompts.inputs.shortcuts import Deed
from prompts.language.actions import PHRASES
from prompts.templates.clauses.links import GIVEN
from prompts.templates.uses import UPDATES

_TEXT = re.compile('use the text (".+"|\u201c.+\u201d|[\\d.]+)', re.DOTALL)
_LIST = re.compile("use the list of (.+)", re.DOTALL)
_WITH_TEXT = {
    "add it to a note": "add {} to a note",
    "copy the result": "copy the text {}",
    "make a QR code": "make a QR code of {}",
    "post it on Twitter": "post {} on Twitter",
    "read it out loud": "say {} out loud",
    "search the web": "search the web for {}",
    "send a message": "send a message that says {}",
    "send an email": "send an email that says {}",
    "show me a message": "show me {}",
    "show me the result": "show me {}",
    "translate the text": "translate {}",
    "write a note": "write a note that says {}",
    "write it to a file": "write {} to a file",
}
_NEEDS_MORE = re.compile(
    r"use the (text|number|list of|page) .*|open the (page|app I need|other app)|"
    r"show me the page|fetch the information from the web|run the .*|ask me for what you need|"
    r"use the current date|encode it|shift the date.*|calculate with .*|do it .* times",
    re.DOTALL,
)
"""Clauses that say too little to stand in any request."""
_ALONE = frozenset({"go through my own automations", "let me choose a contact"})
_THE_REST = "ask me for the rest"
_SHOWN = {"show me a message": "show me what comes out", "show me the result": "show me the result"}
_ABOUT_IT = re.compile(
    r"(write|open|save|read|share|print|post|send|append|add|delete|clear out|look) (it|out)\b.*|"
    r"(copy|show me|share) the (result|preview)|show me a (preview|message)|save the file.*|"
    r"translate the text.*|(convert|crop|resize) the picture.*|combine the pictures|make a .*|"
    r"read the text in the picture|send a message|pack the files.*|let me pick from a list|"
    r"send it to .*|take the article from the page|correct the spelling"
)
_SEVERAL = re.compile(r".*\b(podcasts|automations|reminders|photos|events|notes|pictures)\b.*")
_SHOWING = frozenset({"show me the result", "show me a preview"})
_CHOOSING = ("let me choose between ", "let me pick from ")
_CHOSEN = {
    "open the page": "open the page that I choose",
    "show me the page": "show me the page that I choose",
}
_TO_THEM = (
    (re.compile(r"\b(open|save|share|write|print|read|send|post|add) it\b"), r"\1 them"),
    (re.compile(r"delete the (?:reminders|photos|events)"), "delete them"),
    (re.compile(r"clear out the file$"), "delete them"),
    (re.compile(r"save the file$"), "save them as files"),
)
_SOURCE = re.compile(r"(take|find|look|open|let me choose|go through|check|tell me|write|say) ")
SHARED = "take what I share with you"
_INPUT = re.compile(r"\[needs input: what is shared|\[input of the shortcut")
_LITERAL = re.compile(r'\w+ "[^"\[]+"')
"""An action that shows a text of its own."""
_CLIPBOARD = re.compile(r"\[needs input: what is on the clipboard")


def takes_input(deeds: Sequence[Deed], request_deeds: Sequence[Deed]) -> str:
    """Where the first thing comes from that the actions work on; empty where nothing tells.

    The first action of all works on what is shared where it names no input.
    """
    used = (deed.line for deed in deeds if deed.api != "ask" and not UPDATES.search(deed.line))
    if any(map(_INPUT.search, used)):
        return SHARED
    lines = " ".join(deed.line for deed in request_deeds if deed.api != "ask")
    own = (
        request_deeds[:1] == tuple(deeds[:1]) and not _LITERAL.match(request_deeds[0].line)
        if request_deeds
        else False
    )
    if own and _ABOUT_IT.fullmatch(PHRASES.get(request_deeds[0].api, "")):
        return SHARED
    return "take what I have copied" if _CLIPBOARD.search(lines) else ""


def fitted(clauses: Sequence[str], takes_input: str) -> list[str] | None:
    """The clauses of one sentence; None where one of them tells nothing that fits the others."""
    questions = any(clause.startswith('ask me "') for clause in clauses)
    question = PHRASES["ask"]
    # A question that is none for a sentence comes beside those that are.
    phrases = _with_texts(
        [
            _THE_REST if questions and plain_clause == question else plain_clause
            for plain_clause in clauses
        ]
    )
    for index in range(1, len(phrases or ())):
        if phrases is not None and phrases[index - 1].startswith(_CHOOSING):
            phrases[index] = _CHOSEN.get(phrases[index], phrases[index])
    if not phrases or any(_NEEDS_MORE.fullmatch(clause) for clause in phrases):
        return None
    if len(phrases) == 1 and phrases[0] in _ALONE:
        return None
    if phrases[0] == "let me pick from a list":
        return None
    if _ABOUT_IT.fullmatch(phrases[0]) and not takes_input:
        return None
    input_phrase = GIVEN.get(takes_input, takes_input)
    if (
        takes_input
        and input_phrase not in phrases[0]
        and (not _SOURCE.match(phrases[0]) or _ABOUT_IT.fullmatch(phrases[0]))
    ):
        phrases.insert(0, takes_input)
    # A message on the way tells nothing that the result does not.
    phrases = [phrase for phrase in phrases[:-1] if phrase not in _SHOWN] + phrases[-1:]
    phrases = [_SHOWN.get(clause, clause) for clause in phrases]
    for index in range(1, len(phrases)):
        if phrases[index - 1].startswith("open my file") and phrases[index] in _SHOWING:
            phrases[index] = "show it to me"
        if phrases[index - 1].startswith("find the notes") and phrases[index].startswith("add "):
            phrases[index] = phrases[index].removesuffix("a note") + "that note"
        if any(_SEVERAL.fullmatch(clause) for clause in phrases[:index]):
            for pattern, them in _TO_THEM:
                phrases[index] = pattern.sub(them, phrases[index])
    return phrases


def _with_texts(clauses: Sequence[str]) -> list[str] | None:
    """Texts and lists said with what is done with them; None where nothing is."""
    phrases: list[str] = []
    text = ""
    for clause in clauses:
        if _TEXT.fullmatch(clause) or _LIST.fullmatch(clause):
            if text:
                return None
            text = clause
        elif text:
            phrase = _told(text, clause)
            if phrase is None:
                return None
            phrases.append(phrase)
            text = ""
        else:
            phrases.append(clause)
    return None if text else phrases


def _told(text: str, clause: str) -> str | None:
    held = _TEXT.fullmatch(text)
    if held is not None:
        pattern = _WITH_TEXT.get(clause)
        if pattern is None and clause.startswith("write it to my file "):
            pattern = clause.replace("write it", "write {}", 1)
        return None if pattern is None else pattern.format(held[1])
    listed = _LIST.fullmatch(text)
    if listed is not None and clause == "let me pick from a list":
        return f"let me pick from {listed[1]}"
    return None
