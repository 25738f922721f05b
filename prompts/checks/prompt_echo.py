"""The text is no copy of the prompt, of the data in it, or of a chat reply around it."""

import re

from prompts.checks.base import Check, Finding, dropped, kept
from prompts.language.values import plain
from prompts.subject import Subject

PROMPT_RUN = 7
"""Words in a row that no honest text shares with its instructions."""
SOURCE_RUN = 14
"""Words in a row that show a copied description instead of a request."""
_CHATTER = re.compile(
    r"\bas an ai\b|\blanguage model\b|^\s*(sure|certainly|of course)[,!.]|"
    r"^\s*(here is|here's) (the|a|your|one)\b|^\s*(query|instruction|request|output|answer)\s*:|"
    r"</?data>|\bjson (object|schema)\b|\buser[- ]aware\b|\bapi results?\b",
    re.IGNORECASE,
)


class PromptEcho(Check):
    """Published instruction sets hold many echoed prompts; a score alone does not find them."""

    name = "prompt_echo"
    kinds = frozenset({"query", "instruction", "category", "nested"})

    def examine(self, subject: Subject) -> Finding:
        """Drop chatter, and long runs of words shared with the prompt or its data."""
        chatter = _CHATTER.search(subject.text)
        if chatter is not None:
            return dropped("chatter", f"says {chatter.group()!r}")
        words = plain(subject.text).split()
        run = shared_run(words, subject.prompt, PROMPT_RUN)
        if run is not None:
            return dropped("prompt_echo", f"repeats the prompt: {run!r}")
        if subject.kind != "category":
            for source in subject.sources:
                run = shared_run(words, source, SOURCE_RUN)
                if run is not None:
                    return dropped("source_echo", f"repeats its source: {run!r}")
        return kept("no long run of words from the prompt")


def shared_run(words: list[str], other: str, length: int) -> str | None:
    """The first `length` words in a row that both texts have."""
    if len(words) < length or not other:
        return None
    there = f" {plain(other)} "
    for start in range(len(words) - length + 1):
        run = " ".join(words[start : start + length])
        if f" {run} " in there:
            return run
    return None


CHECK = PromptEcho()
