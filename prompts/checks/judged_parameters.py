"""Check the decisions of a model about which values of a shortcut a request states.

Each value that the model marked as stated must be in the request, and values that it marked as
absent must not be.
"""

import math
import re
import unicodedata

from prompts.checks import Check, Finding, dropped, passing
from prompts.checks._supported import is_foreign, is_supported, numbers_in
from prompts.language.statements import says
from prompts.language.statements.hints import hints_of
from prompts.language.statements.reading import read
from prompts.language.statements.units import PERCENT, unit_named
from prompts.language.value_texts.parameters import CHOSEN, OPTION
from prompts.language.words import (
    STOPWORDS,
    plain,
    read_number,
    stem,
    stem_set,
    title_words,
    word_set,
)
from prompts.subject import Subject, Value

SMALL = 12
"""Numbers up to this one appear in any sentence. A small number that is marked as absent may occur
in the text with another meaning."""
_ON = frozenset({"true", "on", "yes"})
_OFF = frozenset({"false", "off", "no"})
_NEGATIVE = re.compile(
    r"\b(?:no|not(?! disturb)|none|never|without|off|disable|\w+n't|except|un\w{4,}|"
    r"incomplete|inactive)\b"
)
_ENDING = re.compile(
    r"\b(?:stop|skip|hide|leave|ignore|silent\w*|mute|quiet\w*|kill|cut|shut|drop|end|close|quit|"
    r"lose|disconnect|deactivat\w*|background|only|just|plain)\b"
)
"""Verbs and other words by which people say that a switch is off, besides "no" and "not"."""
_SIGNS = {"+": "add", "-": "subtract", "\u00d7": "times", "*": "times", "\u00f7": "divide",
          "/": "divide", "x^2": "square", "x^3": "cube"}  # fmt: skip
_TOP = "full fully max maximum bright brightest loudest up"
_AS_NUMBER = {
    -1.0: word_set("minus negative opposite reverse reversed backwards last"),
    0.0: word_set("nought nothing no none without off mute silent dark darkest low lowest min "
                  "minimum down empty whole any"),
    1.0: word_set(f"a an the once single first only tomorrow yesterday {_TOP}"),
    2.0: word_set("twice double both half halve coin cent"),
    3.0: word_set("thrice triple third"),
    6.0: word_set("dice die"),
    7.0: word_set("week weekly"),
    12.0: word_set("dozen noon year yearly"),
    24.0: word_set("day daily"),
    60.0: word_set("minute hour"),
    90.0: word_set("sideways"),
    100.0: word_set(f"{_TOP} whole"),
    180.0: word_set("upside around"),
}  # fmt: skip
"""A mapping from numbers to words that express the number without a numeral, such as "twice"."""
_ALIKE = (
    "add plus sum total altogether together; subtract minus less deduct take off away fewer; "
    "times multiply double triple product twice; divide split half halve share per; modulus "
    "modulo mod remainder left rest over; square squared; cube cubed; root; maximum max highest "
    "biggest largest greatest longest; minimum min lowest smallest least shortest; average mean "
    "typical; uppercase upper capital caps capitals big; lowercase lower small; capitalize "
    "capital capitals title; characters letters signs; toggle flip switch opposite; transit bus "
    "train public tram subway metro; walking foot walk stroll; driving car drive; cycling biking "
    "bike bicycle bicyclist; running run jog; hourly hour; daily day; weekly week; latest newest "
    "recent last; oldest earliest first; random any shuffle surprise mix; ascending smallest "
    "alphabetical; descending largest backwards; audio sound voice; video film clip camera "
    "picture movie; image picture photo; encode code pack; decode unpack back read; front selfie; "
    "back rear; en english; gb british britain uk kingdom; us american america usa states; de "
    "german germany; fr french france; es spanish spain; it italian italy; sv swedish sweden; nb "
    "norwegian norway; da danish denmark; fi finnish finland; nl dutch netherlands holland; pl "
    "polish poland; pt portuguese portugal; br brazilian; ja japanese japan; jp japanese japan; "
    "zh chinese china mandarin; cn chinese china; ko korean korea; kr korean korea; ru russian "
    "russia; tr turkish turkey; usd dollar buck; eur euro; gbp pound quid; jpy yen; cny yuan; inr "
    "rupee; krw won; ar arabic; au australian australia; ca canadian canada; jpeg jpg photo; zip "
    "compress; all every everything each whole; cellular mobile; dark night; quick look preview "
    "show view see; url link address site; hd high; sd standard; add more on; modulus odd even"
)
"""Groups of words, each with the names of an option and with words that are evidence for the
option."""
_ALIKE_STEMS = tuple(map(stem_set, _ALIKE.split(";")))
_BLAND = word_set(
    "like ask https http www com org net page site website app the one named called titled"
)
_SCALES = frozenset({PERCENT, "temperature"})
_COMPARED = frozenset({"WFNumberValue", "WFConditionalActionString", "WFConditions"})
_SENTENCE = 4
"""A value with at least this many words may be reworded completely."""
_CODE = re.compile(r"^(?!.*\s).*[\w][._/:@]")
"""Matches a file name, an address or a key, which people do not reword."""
_LISTED = re.compile(r",|\b(?:or|and)\b")
_QUOTATION = re.compile('["\u201c]([^"\u201c\u201d]+)["\u201d]')
_CONDITION = re.compile(
    r"\b(?:if|when|whether|unless|until|once|else|otherwise|no\w*|any\w*|some\w*|empty|without|"
    r"missing|more|less|fewer|only|several|each|every)\b|n't\b"
)
_DELIVERY = "show tell give display notify notification alert message let know see"
_PART = 5
"""A word with at least this many letters is recognised as a part of an address."""


def examine(subject: Subject) -> Finding:
    """Drops judgements if a `required` value is not stated, or a `hidden` value is stated.

    Required values are those that the judge marked as stated; hidden values are all others.
    """
    rest = subject.text
    for entry in subject.required:
        if entry.quote and len(entry.quote) < len(subject.text) / 2:
            # A longer quote is the whole request rather than evidence for a value: cutting it out
            # would leave nothing in which another stated value could be found.
            rest = rest.replace(entry.quote, ";")
        if not says(entry.quote or subject.text, entry) and not _can_mean(entry, subject):
            return dropped("false_stated", f"{entry.name}={entry.value!r} is not stated")
    stated = {entry.value for entry in subject.required}
    for entry in subject.hidden:
        # Words for another parameter say nothing about this one.
        if entry.value not in stated and _is_stated(rest, entry):
            return dropped("missed_stated", f"{entry.name}={entry.value!r} is stated")
    return passing(f"{len(subject.required)} stated, {len(subject.hidden)} absent")


def _is_option(entry: Value) -> bool:
    """Whether a value is an option with an English name, which a text can state literally."""
    is_choice = CHOSEN.search(entry.name) or OPTION.search(entry.name)
    return entry.value.isascii() and is_choice is not None


def _is_free_text(entry: Value) -> bool:
    return not (_is_option(entry) or any(map(str.isdigit, entry.value)))


def _can_mean(entry: Value, subject: Subject) -> bool:
    """Whether a judge's quote can mean a value that it does not contain literally.

    Numbers, dates, booleans, codes and names need evidence in the quote. Other values may be
    translated or reworded, so they are refused only if the quote states another value.
    """
    quote, value = entry.quote.casefold(), entry.value.strip().casefold()
    if not quote:
        return False
    number = read_number(value)
    if number is not None and (_has_number(quote, number, entry) or _numbers(quote)):
        return _has_number(quote, number, entry)
    if number in {0, 1} and entry.name in _COMPARED:
        # "If there is any" compares with 0, and "the odd pages" are those of which "is odd" is 1.
        topic = _content(title_words(entry.label)) & _content(plain(quote))
        return bool(topic) or _CONDITION.search(quote) is not None
    is_switch = value in _ON | _OFF or (value in {"0", "1"} and not hints_of(entry).counts)
    if number is not None or is_switch:
        if is_foreign(subject.text):
            return True  # Nothing here reads its words for numbers, yes and no.
        is_off = _NEGATIVE.search(quote) or (value in _OFF | {"0"} and _ENDING.search(quote))
        return is_switch and (value in _ON | {"1"}) is not bool(is_off)
    whole = read(entry.value)
    measured = sum(amount.end - amount.start for amount in whole.amounts)
    measured += sum(clock.end - clock.start for clock in whole.clocks)
    measured += sum(day.end - day.start for day in whole.days)
    if measured < len(whole.items):
        return _can_mean_text(entry, subject)
    return any(_has_number(quote, amount.value, entry) for amount in whole.amounts)


def _can_mean_text(entry: Value, subject: Subject) -> bool:
    """Whether a quote states a value in other words, rather than another value of the request."""
    spoken = _content(plain(_spell_out(entry.quote)))
    named = _content(title_words(_spell_out(entry.value)))
    own = _matching_words(spoken, (entry.value, *entry.titles))
    has_all = _matching_words(named, (entry.quote,)) == named
    if _CODE.search(entry.value) or not (
        entry.value in _SIGNS or re.search(r"[^\W\d_]", entry.value)
    ):
        return has_all or (own == spoken and ("_" not in entry.value or len(own) * 2 >= len(named)))
    if not own and spoken <= _content(plain(f"{entry.label} {_DELIVERY}")):
        return False  # It says that there is a value, not which one.
    quoted, is_list = plain(entry.quote), _LISTED.search(entry.quote) is not None
    text, value = plain(subject.text), plain(entry.value)
    if value.count(" ") > 1 and value in text:
        return False  # Other words of the request say it.
    is_once = text.count(quoted) == 1
    values = (*subject.required, *subject.hidden)
    for other in values:
        words = plain(other.value)
        if words in value:
            continue
        is_alike = other.name == entry.name and not is_list
        if is_alike and is_once and plain(other.quote) == quoted:
            return False  # One passage cannot say two options.
        if f" {words} " in f" {quoted} ":
            said = _matching_words(spoken, (other.value,))
            if len(said) > max(len(own), 0 if is_alike else len(spoken) / 2):
                return False
        if not own and read_number(words) and _numbers(entry.quote) and says(entry.quote, other):
            return False
    if _is_option(entry) and not own:
        return is_foreign(subject.text)
    free_texts = " ".join(value.value for value in values if _is_free_text(value))
    numbers, own_numbers = ({w for w in words if w.isdigit()} for words in (spoken, named))
    if numbers and own_numbers and not numbers & own_numbers:
        return False
    if (
        has_all
        or len(entry.value.split()) >= _SENTENCE
        or is_foreign(subject.text)
        or is_foreign(free_texts)
    ):
        return True
    # "Lena Vogel" is somebody else than "Lena Brandt", and a whole request points at no value.
    names = {stem(plain(word)) for word in entry.quote.split()[1:] if word[:1].isupper()}
    is_short = len(entry.quote) * 2 < len(subject.text)
    return is_short and not names & (spoken - own)


def _has_number(quote: str, number: float, entry: Value) -> bool:
    """Whether a quote expresses a number in another form, in another unit or by a word."""
    reading = read(quote)
    words = set(plain(quote).split())
    numbers = _numbers(quote)
    units = [unit for unit in hints_of(entry).units if unit.measures not in _SCALES]
    units += [amount.unit for amount in read(entry.value).amounts if amount.unit]
    measures = {unit.measures for unit in units if unit.size}
    if any(amount.unit and amount.unit.measures in measures for amount in reading.amounts):
        return False  # `says` has compared them.
    if (
        not numbers
        and (not units or any(map(unit_named, words)))
        and words & _AS_NUMBER.get(number, frozenset())
    ):
        return number != 1 or not quote.rstrip(".!?").removesuffix("'s").endswith("s")
    allowed = numbers_in((entry.value, *entry.titles))
    in_units = any(amount.unit is not None for amount in reading.amounts)
    if "per" in words:
        numbers += [1 / n for n in numbers if n]
    return any(
        is_supported(n, allowed, converted=in_units)
        or (number < 1 and math.isclose(n, number, rel_tol=0.05))
        for n in numbers
    )


def _numbers(quote: str) -> list[float]:
    return [abs(item.value) for item in read(quote).items if item.kind == "number"]


def _matching_words(spoken: set[str], texts: tuple[str, ...]) -> set[str]:
    """Return the words of a quote that occur in `texts` or mean the same as a word there."""
    named = _content(title_words(" ".join(map(_spell_out, texts))))
    joined = plain(" ".join(texts)).replace(" ", "")
    alike = {word for group in _ALIKE_STEMS if named & group for word in group}
    return {
        word for word in spoken if word in named | alike or (len(word) >= _PART and word in joined)
    }


def _spell_out(text: str) -> str:
    """Return a text with emoji and signs replaced by their names, and blanks around its numbers."""
    pictures = (
        unicodedata.name(sign, "") for sign in text if not (sign.isascii() or sign.isalnum())
    )
    text = _SIGNS.get(text, text.replace("US", "usa"))
    return " ".join((re.sub(r"\d+", r" \g<0> ", text), *pictures))


def _content(text: str) -> set[str]:
    words = [word.replace("our", "or") for word in text.split()]
    telling = {
        stem(word)
        for word in words
        if word not in STOPWORDS | _BLAND and (len(word) > 1 or word.isdigit())
    }
    return telling or set(map(stem, words))


def _is_stated(text: str, entry: Value) -> bool:
    """Whether a text states a value for certain.

    A number of at most 12 must occur together with its unit. A single word must be in quotation
    marks.
    """
    number = read_number(entry.value)
    if number is not None and abs(number) <= SMALL and number == int(number):
        titles = (title for title in entry.titles if read_number(title) is None)
        return any(says(text, Value(title)) for title in titles)
    if any(map(str.isdigit, entry.value)):
        return says(text, entry)
    # "Show an alert" does not state its title "Alert", nor "read JSON" a file's name "JSON".
    said = " ".join(map(plain, _QUOTATION.findall(text))) if " " not in entry.value else plain(text)
    return any(
        len(wording) > 2 and f" {plain(wording)} " in f" {said} "
        for wording in (entry.value, *entry.titles)
    )


CHECK = Check(
    name="judged_parameters",
    kinds=frozenset({"parameters"}),
    explains={
        "false_stated": "A parameter is marked as stated, but the text does not state it.",
        "missed_stated": "The text states a parameter that is marked as absent.",
    },
    examine=examine,
)
