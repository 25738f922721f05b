"""Check that an order in the text has a verb: "for you to weather of a town" has none.

Only wording that cannot occur in an English sentence is dropped: words that introduce an order
("could you", "for you to"), followed by an article, a question word, or a thing ("tide of",
"boats that are").
"""

import re

from prompts.checks import Check, Finding, dropped, passing
from prompts.language.orders import ORDER_VERBS, order_verb
from prompts.language.words import word_set
from prompts.subject import Subject

_FILLERS = (
    r"(?: (?:please|kindly|also|then|just|perhaps|maybe|now|first|quickly|simply|possibly)){0,3}"
)
_LEAD = re.compile(
    r"\b(?:(?:can|could|would|will) you|you could|(?:for|like|want|need|love|ask|wish) you to|"
    rf"go ahead and|help me out and){_FILLERS} (?=([\w'-]+)(?: ([\w'-]+))?(?: ([\w'-]+))?)",
    re.IGNORECASE,
)
"""Words that introduce an order; the groups are up to three words after them."""
_PLEASE = re.compile(
    r"(?:^|\bso |[.;!] )please (?=([\w'-]+)(?: ([\w'-]+))?(?: ([\w'-]+))?)", re.IGNORECASE
)
"""After a mere "please" a thing may be named as well."""
_QUOTED = re.compile(r"\"[^\"]{0,400}\"|\u201c[^\u201d]{0,400}\u201d")
_NO_VERB = frozenset({"what", "which", "who", "whose", "where", "why", "how", "is", "are", "was"})
_ARTICLES = frozenset({"a", "an", "the", "my", "your", "our", "their"})
_TIMES = word_set(
    "bit little few couple next first last same moment minute second hour day night "
    "morning evening afternoon week month year time instant other dear good friend most "
    "least sooner more better"
)
"""Words after an article in phrases of time or manner ("a moment") or address ("my friend")."""
_BEFORE_OF = word_set(
    "think dream speak hear learn know dispose make take tell approve beware partake "
    "smell taste conceive complain talk boast despair read see write out all both each "
    "one some most any many instead ahead because regardless outside inside kind sort in "
    "short north south east west none half either neither rid hold care advantage become"
)
_IS = frozenset({"is", "are", "was", "were", "have", "has"})


class VerblessOrder(Check):
    """Requires a verb after "could you" and similar words, not a thing or a question."""

    name = "verbless_order"
    kinds = frozenset({"query", "instruction", "nested", "dialogue"})
    explains = (("verbless_order", "The text has an order without a verb."),)

    def examine(self, subject: Subject) -> Finding:
        """Drop a text with an order that has no verb."""
        text = " ".join(_QUOTED.sub(" _ ", subject.text).split())
        for lead in _LEAD.finditer(text):
            words = [word.casefold() for word in lead.groups("")]
            if _names_a_thing(words) or _asks_or_points(words):
                return dropped("verbless_order", f"no verb behind {lead.group().strip()!r}")
        for lead in _PLEASE.finditer(text):
            if _names_a_thing([word.casefold() for word in lead.groups("")]):
                return dropped("verbless_order", f"no verb behind {lead.group().strip()!r}")
        return passing("every order has a verb")


def _asks_or_points(words: list[str]) -> bool:
    """Whether the words begin like a question, or with an article that is not part of a time."""
    first, second = words[0], words[1]
    return first in _NO_VERB or (first in _ARTICLES and bool(second) and second not in _TIMES)


def _names_a_thing(words: list[str]) -> bool:
    """Whether the words begin with a thing, followed by "of", "that is" or similar words."""
    first, second, third = words
    if second == "of":
        return first not in _BEFORE_OF and not order_verb(words)
    return second in {"that", "which"} and third in _IS and first not in ORDER_VERBS


CHECK = VerblessOrder()
