"""Check that the text makes a request and does not ask the user a question."""

import re

from prompts.checks import Check, Finding, dropped, passing
from prompts.checks._supported import quotations_of
from prompts.subject import Subject

_BACK = re.compile(
    r"\b(?:would you (?:like|prefer)(?! to (?:book|find|help|show|tell|give|get|check))|"
    r"do you (?:want|need|prefer|wish)|did you mean|are you (?:looking for|interested|sure)|"
    r"shall i|may i (?:ask (?:you|what|which|when)|suggest)|how (?:can|may) i help|"
    r"(?:could|can|would|will) you (?:please |kindly )?(?:"
    r"(?:specify|clarify) (?:which|what|whether|your|"
    r"the (?:date|day|time|hour|city|name|file|number))|"
    r"confirm (?:your|the|which|whether you)|"
    r"provide (?:me with |the |your )?(?:more|your|the (?:date|time|city|name|file|details))|"
    r"tell me (?:which|what|when|how many|your)[^.?]{0,60}\b"
    r"you (?:want|need|would|prefer|are looking))|"
    r"please (?:specify|clarify|provide|let me know (?:which|what|your|if you))|"
    r"i(?: would|'d)? need (?:more information|"
    r"to know (?:(?:which|what) (?!(?:i|we|an?)\b)(?![^.!?]{1,100}, so\b)|your|when you)))\b",
    re.IGNORECASE,
)
_SHOULD = re.compile(
    r"\bshould i (?:look|search|book|reserve|use|send|add|set|check|play|buy|find|take|schedule|"
    r"put|order|call|open|save|include|go ahead)\b",
    re.IGNORECASE,
)
_WHICH = re.compile(
    r"[.!] [^.!?]{0,40}\b(?:which|what|where|when|how many|how long|who)\b[^.!?]{0,60}"
    r"\bshould i (?:read|use|look|search|book|reserve|send|add|set|check|play|buy|find|take|copy|"
    r"schedule|put|order|call|open|save|include|pick|choose|remind|start|translate|convert)\b",
    re.IGNORECASE,
)
"""Matches a text that states a wish and then asks which value to use."""
_OFFER = re.compile(
    r"\bi(?:'ll| will| can|'m going to|'m gonna) "
    r"(?:help you\b|let you (?!know\b|have\b)\w+|(?!give\b|tell\b|say\b)[^.!?]{1,80}\b"
    r"(?:for you|you (?:share|shared|copied|asked|selected|picked))\b)",
    re.IGNORECASE,
)
"""Matches the words of an assistant that announces what it will do."""
_YOUR = re.compile(r"\byou(?:r|rs)?\b", re.IGNORECASE)
_ENOUGH = re.compile(r"\b(?:enough|fine|okay|ok|right) (?:for|with) you\b", re.IGNORECASE)


def examine(subject: Subject) -> Finding:
    """Drops a text in which an assistant asks its user; a text must be the user's own wish."""
    text = subject.text
    for quotation in quotations_of(text):  # what an app is to ask is not a question to the person
        text = text.replace(quotation, " ")
    match = _BACK.search(text) or _ENOUGH.search(text)
    match = match or _WHICH.search(text) or _OFFER.search(text)
    if match is None and _YOUR.search(text):
        match = _SHOULD.search(text)
    if match is None or _is_quoted(subject, match.group()):
        return passing("asks nobody back")
    return dropped("asks_back", f"asks {match.group()!r}")


def _is_quoted(subject: Subject, phrase: str) -> bool:
    """Whether a required value, which the text must state, contains the phrase."""
    return any(phrase.lower() in entry.value.lower() for entry in subject.required)


CHECK = Check(
    name="asking_back",
    kinds=frozenset({"query", "instruction", "nested"}),
    explains={"asks_back": "The text asks a question back instead of making a request."},
    examine=examine,
)
