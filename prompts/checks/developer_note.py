"""Check that the text speaks as a user, not as a developer who implements the request."""

import re

from prompts.checks import Check, Finding, dropped, passing
from prompts.subject import Subject

_NOTE = re.compile(
    r"(?-i:\bTODO\b)|^\s*to-?do:|\b(?:FIXME\b|XXX\b|N\.?B\.?:)|"
    r"[(\[] ?(?:note|nb|hint|remark|internal|reviewer|editor|missing|unclear)\b[^)\]]{0,20}:|"
    r"(?:^|[.!?]\s+)@[a-z]\w{1,30}[,:]|"
    r"(?:^|[.!?]\s)\s*(?:(?:implementation|technical|internal|dev\w*) )?note(?: to [\w ]{1,30})?:|"
    r"\bnote (?:that|to|for) (?:the|self|whoever|developers?)\b|\bheads[ -]up (?:to|for) (?!me|us)|"
    r"\bwhoever (?:builds|writes|implements|maintains|codes|reads)\b|"
    r"\b(?:from|in|into) the (?:data ?set|training data|sample)\b|"
    r"\b(?:the|this) (?:data|workflow|source|row) (?:does(?:n't| not)|lacks|gives|says)\b",
    re.IGNORECASE | re.MULTILINE,
)
_PARTS = re.compile(
    r"\b(?:is|are|was|be|being) (?:set|filled|passed|mapped|taken) (?:to|from|in|by|as|into)\b"
    r".{0,40}\b(?:true|false|null|none|result|output|user|lookup|call|parameter|argument)\b|"
    r"\bthe \w{1,30} (?:parameter|argument|variable|field|slot)s?\b|"
    r"\bjson (?:response|reply|body)\b|(?<!my )\bapi key\b|\bmust_mention\b|"
    r"\b(?:input|return|data) type (?:must|should|has to|is)\b|"
    r"\b(?:output|result|response) of the (?:\w+ )?(?:call|api|lookup|action|step)\b|"
    r"\bthe user (?:said|says|asked|asks|wants|types|typed|enters|entered|provides|provided|needs|"
    r"will|should|must|has|is|chooses|selects)\b|\bas (?:an? )?(?:end )?user,? (?:the|they)\b",
    re.IGNORECASE,
)


_GAP = re.compile(r"[\[{<] ?[A-Za-z][A-Za-z _-]{0,30}[\]}>]")
"""Matches a gap that was not filled in: `{variable}`, `[action]` or `<name>`."""


def examine(subject: Subject) -> Finding:
    """Drops texts that contain notes, technical terms of calls or gaps, or speak of "the user"."""
    said = " ".join(entry.value for entry in subject.required).lower()
    # A label describes its target, so it may speak of the user.
    for pattern in (_NOTE, _GAP) if subject.kind == "category" else (_NOTE, _PARTS, _GAP):
        match = pattern.search(subject.text)
        if match is not None and match.group().lower() not in said:
            return dropped("developer_note", f"says {match.group()!r}")
    return passing("speaks as a user")


CHECK = Check(
    name="developer_note",
    kinds=frozenset({"query", "instruction", "nested", "dialogue", "category"}),
    explains={"developer_note": "The text speaks to a developer, not to an assistant."},
    examine=examine,
)
