"""Check that the text does not copy its prompt and is not wrapped in a chatty reply."""

import re

from prompts.checks import Check, Finding, dropped, passing
from prompts.checks.copied_text import shared_run
from prompts.language.words import plain
from prompts.subject import Subject

PROMPT_RUN = 7
"""A text that shares this many consecutive words with its instructions is a copy of them."""
_CHATTER = re.compile(
    r"\bas an ai\b|\blanguage model\b|^\s*(sure|certainly|of course)[,!.]|"
    r"^\s*(here is|here's) (the|a|your|one)\b(?! (?:link|photo|picture|file|list|web|page)\b)|"
    r"^\s*(query|instruction|request|output|answer)\s*:|"
    r"</?data>|\bjson (object|schema)\b|\buser[- ]aware\b|\bapi results?\b",
    re.IGNORECASE,
)


def examine(subject: Subject) -> Finding:
    """Drops texts that repeat their prompt; published datasets contain many of them."""
    chatter = _CHATTER.search(subject.text)
    if chatter is not None:
        return dropped("chatter", f"says {chatter.group()!r}")
    run = shared_run(plain(subject.text).split(), subject.prompt, PROMPT_RUN)
    if run is not None:
        return dropped("prompt_echo", f"repeats the prompt: {run!r}")
    return passing("no long run of words from the prompt")


CHECK = Check(
    name="prompt_echo",
    kinds=frozenset({"query", "instruction", "category", "nested"}),
    explains={
        "chatter": "The text contains words that a model says to the person who requested it.",
        "prompt_echo": "The text repeats its prompt.",
    },
    examine=examine,
)
