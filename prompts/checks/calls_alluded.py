"""Every call of a plan is alluded to in the text."""

from prompts.checks.base import Check, Finding, dropped, kept
from prompts.language.values import plain, states, title_words
from prompts.language.words import POINTLESS, related, stem
from prompts.subject import Call, Subject


class CallsAlluded(Check):
    """A call is alluded to by a word of its app, API or description, or by a value only it has."""

    name = "calls_alluded"
    kinds = frozenset({"instruction", "nested"})

    def examine(self, subject: Subject) -> Finding:
        """Drop a text in which some call leaves no trace."""
        words = {stem(word) for word in plain(subject.text).split()} - POINTLESS
        for call in subject.calls:
            if not _names(call, words) and not _carries_value(call, subject.text):
                return dropped("call_not_alluded", f"nothing points at {call.words[0]}")
        return kept(f"{len(subject.calls)} calls alluded to")


def _names(call: Call, words: set[str]) -> bool:
    own = [title_words(text) for text in call.words]
    stems = {stem(word) for text in own for word in text.split()} - POINTLESS
    if words & stems or words & {stem(word) for word in related(stems)}:
        return True
    # API names are often written as one word: "findbus", "reserverestaurant".
    joined = [text.replace(" ", "") for text in own[:2]]
    return any(len(word) >= 3 and word in name for word in words for name in joined)


def _carries_value(call: Call, text: str) -> bool:
    return any(states(text, entry.value, entry.titles) for entry in call.values)


CHECK = CallsAlluded()
