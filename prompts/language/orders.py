"""Recognise verbs that begin an order to an assistant, although many of them are nouns as well.

The list of verbs is written by hand: a lexicon lists nearly every noun in a title as a verb, too
("weather", "table", "flight"), and no installed library can distinguish the noun from the verb.
"""

from collections.abc import Sequence

from prompts.language.words import word_set

ORDER_VERBS = word_set("""
accept activate add adjust allocate analyse analyze announce answer append apply arrange ask assess
assign attach authorise authorize block book bookmark borrow bring browse build buy calculate call
cancel capture change charge check choose classify clean clear close collect combine compare
complete compose compress compute configure confirm connect contact continue convert copy correct
count create crop cut deactivate decide decline decode decrease define delete deliver deposit
describe detect determine dial dim disable disconnect discover dismiss dispatch display do donate
download draft draw drive duplicate edit eject email enable encode encrypt end enroll ensure enter
erase estimate evaluate exchange execute expand explain explore export extend extract favorite
favourite fetch figure filter find finish fix flag flip follow format forward generate get give go
grant group guess guide handle have hear help hide highlight hire identify import improve include
increase inform insert inspect install invest invite invoke issue join jump keep launch learn leave
lend let list listen load locate lock log look lower make manage mark match measure merge message
modify monitor move mute name navigate note notify obtain offer open optimize order organise
organize overlay pack pass paste pause pay perform phone pick ping place plan play post postpone
predict prepare present print process proofread provide publish pull purchase put query raise rank
rate read rearrange recognise recognize recommend record reduce refill refresh refund register
reject remind remove rename renew rent repeat replace reply report request reschedule reserve reset
resize resolve respond restart resume retrieve return reveal reverse review rewrite ride ring
rotate round route run save say scan schedule score scroll search secure see seek select sell send
set share ship shop show shuffle shut sign silence simulate skip solve sort speak split start stop
store straighten stream submit subscribe subtract suggest summarise summarize switch sync take tap
teach tell test text toggle trace track trade transcribe transfer transform translate transpose
trigger trim turn tweet unblock undo unfollow unlock unmute unpack unsave unselect unsubscribe
update upgrade upload use validate verify vibrate view visit wait wake watch withdraw write
""")
_NOUNS_TOO = word_set("""
answer book bookmark call change charge check comment contact copy count cut display download draft
drive email end estimate exchange export file filter format forward group guess guide help hire
import invite issue jump launch list load lock log look mark match measure message move name note
offer order pass pause phone pick place plan play post present print process query rank rate record
refill refund register rent repeat reply report request reserve reset return reverse review ride
ring round route run save scan schedule score search sell share ship shop show shuffle sign sort
split start stop store stream switch sync take tap test text toggle trace track trade transfer
tweet update upgrade upload use view visit wait wake watch
""")
_AFTER_NOUNS = frozenset(
    {"of", "is", "are", "was", "were", "which", "who", "whose", "has", "can", "will"}
)
"""Words that never follow the verb of an order, so that the word before them is a noun."""
_SAYING = frozenset({"check", "confirm", "decide", "ensure", "say", "see", "tell", "verify"})
"""Verbs that a clause with "that" may follow, as in "check that the door is locked"."""
_WHERE = frozenset({"in", "on", "at", "by", "from", "near", "with"})
_PEOPLE = frozenset(
    {"me", "you", "us", "people", "users", "user", "customers", "anyone", "the", "to"}
)
_LETTING = frozenset({"enable", "help", "let"})
"""Verbs that describe a service if people follow ("enables users to pay"), and order something if a
thing follows."""
_SOME = frozenset({"a", "an", "the", "my", "all", "some", "another", "any"})
_SERVED = frozenset({"gives", "provides", "returns"})
"""Forms of verbs that describe the result of a service: "returns a list of trains"."""


def order_verb(words: Sequence[str]) -> str:
    """Return the base form of the verb that begins an order, or "" if there is no order.

    "Reserves a table" gives "reserve", "booking a table" gives "book"; "plays in a theatre", "list
    of trains" and "weather of a town" give "". The words must be in lower case.
    """
    first, after = _at(words, 0), _at(words, 1)
    verb = base_form(first)
    if verb not in ORDER_VERBS or first in _SERVED:
        return _of_doing(first, after)
    if after in _AFTER_NOUNS or (after == "that" and verb not in _SAYING):
        return ""
    if verb in _LETTING and after in _PEOPLE and (first != verb or "to" in words):
        return ""
    if verb in _NOUNS_TOO:
        if after in {"and", "or"} and base_form(_at(words, 2)) not in ORDER_VERBS:
            return ""
        if first != verb and after in _WHERE:
            return ""
    return verb


def base_form(word: str) -> str:
    """Return a verb without third-person ending: "copy" for "copies", "search" for "searches"."""
    if not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("shes", "ches", "sses", "xes", "oes")):
        return word[:-2]
    return word[:-1]


def _of_doing(first: str, after: str) -> str:
    """Return the base form of a verb in "-ing" that begins an order: "find" in "finding a bus"."""
    if not first.endswith("ing") or not (after in _SOME or (first, after) in _LOOKING):
        return ""
    stem = first[:-3]
    forms = (stem, f"{stem}e", stem[:-1] if stem[-2:-1] == stem[-1:] else "")
    return next((form for form in forms if form in ORDER_VERBS), "")


_LOOKING = {("searching", "for"), ("looking", "for")}


def _at(words: Sequence[str], index: int) -> str:
    return words[index].casefold() if index < len(words) else ""
