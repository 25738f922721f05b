"""Check that the text asks only for what its target does."""

import re

from prompts.checks._known import content_stems, known_stems, texts_about
from prompts.checks.base import Check, Finding, dropped, kept
from prompts.subject import Subject

_APART = re.compile(
    r"\bby the way\b|\banother thing\b|\bone more thing\b|\bwhile you(?:'re| are) at it\b|"
    r"\bon (?:a|another) (?:different|unrelated|separate|other) (?:note|matter)\b|\bunrelated\b|"
    r"\bbesides that\b|\bin other news\b|\bcompletely different\b|\boh,? and\b|\bps\b|\bp\.s\.",
    re.IGNORECASE,
)
"""Words that announce something else."""
_ALSO = re.compile(r"(?:[.!?;,]|\band) (?:and )?(?:please )?also,? (?:please )?", re.IGNORECASE)
"""Words that may only announce the rest of the wish."""
_CLAUSE = re.compile(r"[.!?;]")
LEAST_WORDS = 2
LONGEST_CLAUSE = 200
LEAST_KNOWN = 8
"""Fewer known words than this tell too little to miss one of them."""


class SecondRequest(Check):
    """Drops a text with a clause that announces another wish or has no word of the target."""

    name = "second_request"
    kinds = frozenset({"query", "instruction", "nested"})

    def examine(self, subject: Subject) -> Finding:
        """Drop a text with a wish that its target does not fulfil."""
        announced = (*_APART.finditer(subject.text), *_ALSO.finditer(subject.text))
        target_stems = known_stems(texts_about(subject)) if announced else frozenset()
        for match in announced:
            rest = subject.text[match.end() : match.end() + LONGEST_CLAUSE].lstrip(" :,")
            clause = _CLAUSE.split(rest, maxsplit=1)[0]
            stems = {word_stem for word_stem in content_stems(clause) if len(word_stem) > 1}
            apart = _APART.fullmatch(match.group()) is not None
            if len(stems) < LEAST_WORDS or (not apart and len(target_stems) < LEAST_KNOWN):
                continue
            if not stems & target_stems:
                return dropped("second_request", f"asks for something else: {clause.strip()!r}")
        return kept("asks for one thing")


CHECK = SecondRequest()
