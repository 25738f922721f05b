"""Check that a request states the values judged as stated, and none judged as absent."""

import math
import re
import unicodedata
from collections.abc import Iterator

from benchloom.normalise.shortcuts.languages import english_confidence
from prompts.checks import Check, Finding, dropped, passing
from prompts.checks._supported import OTHER_SCRIPT, is_supported, numbers_in
from prompts.checks.language import LEAST_CONFIDENCE
from prompts.language.saying import says
from prompts.language.saying.hints import hints_of
from prompts.language.saying.reading import Reading, read
from prompts.language.saying.units import PERCENT, unit_named
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
"""Counts up to a dozen appear in any sentence; one that was judged absent may be another."""
_ON = frozenset({"true", "on", "yes"})
_OFF = frozenset({"false", "off", "no"})
_NEGATIVE = re.compile(
    r"\b(?:no|not(?! disturb)|none|never|without|off|out|disable|stop|skip|hide|\w+n't|except|"
    r"leave|ignore|silent\w*|mute|quiet\w*|un\w{4,}|incomplete|inactive)\b"
)
_SIGNS = {"+": "add", "-": "subtract", "\u00d7": "times", "*": "times", "\u00f7": "divide",
          "/": "divide", "x^2": "square", "x^3": "cube"}  # fmt: skip
_TOP = "full fully max maximum bright brightest loudest up"
_AS_NUMBER = {
    0.0: word_set("nought nothing no none without off mute silent dark darkest low lowest min "
                  "minimum down empty whole any"),
    1.0: word_set(f"a an the once single first only tomorrow yesterday {_TOP}"),
    2.0: word_set("twice double both half halve coin cent"),
    3.0: word_set("thrice triple third"),
    6.0: word_set("dice die"),
    7.0: word_set("week weekly"),
    90.0: word_set("sideways"),
    100.0: word_set(f"{_TOP} whole"),
    180.0: word_set("upside around"),
}  # fmt: skip
"""Numbers that people say without a numeral."""
_ALIKE = (
    "add plus sum total altogether together more on; subtract minus less deduct take off away "
    "fewer; times multiply double triple product twice; divide split half halve share per; modulus "
    "modulo mod remainder left rest over; square squared; cube cubed; root; maximum max highest "
    "biggest largest most top greatest best longest fastest latest; minimum min lowest smallest "
    "least shortest fewest cheapest earliest; average mean typical; uppercase upper capital caps "
    "capitals big; lowercase lower small; capitalize capital capitals title; characters letters "
    "signs; toggle flip switch opposite other change; transit bus train public tram subway metro; "
    "walking foot walk stroll; driving car drive; cycling biking bike bicycle bicyclist; running "
    "run jog; jpeg jpg photo; zip compress; hourly hour; daily day; weekly week; latest newest "
    "recent last; oldest earliest first; random any shuffle surprise mix; ascending smallest "
    "alphabetical; descending largest backwards; audio sound voice; video film clip camera picture "
    "movie; image picture photo; all every everything each whole; cellular mobile; favorite "
    "starred liked; trash bin; home house; work office job; dark night; encode code pack; decode "
    "unpack back read; quick look preview show view see; url link address site; hd high; sd "
    "standard; enter ask type; front selfie; back rear; en english; gb british britain uk "
    "kingdom; us american america usa states; de "
    "german germany; fr french france; es spanish spain; it italian italy; sv swedish sweden; nb "
    "norwegian norway; da danish denmark; fi finnish finland; nl dutch netherlands holland; pl "
    "polish poland; pt portuguese portugal; br brazilian; ja japanese japan; jp japanese japan; zh "
    "chinese china mandarin; cn chinese china; ko korean korea; kr korean korea; ru russian "
    "russia; tr turkish turkey; usd dollar buck; eur euro; gbp pound quid; jpy yen; cny yuan; inr "
    "rupee; krw won; ar arabic; uk british britain; au australian australia; ca canadian canada"
)
"""Names of settings, with other words that people say for them."""
_ALIKE_STEMS = tuple(map(stem_set, _ALIKE.split(";")))
_BLAND = word_set("like ask https http www com org net page site website app the one")
_SCALES = frozenset({PERCENT, "temperature"})
_COMPARED = frozenset({"WFNumberValue", "WFConditionalActionString", "WFConditions"})
_SHORTER = 3
"""How many times as long a value of several lines is as words that cannot state it."""
_SENTENCE = 4
"""Words of a text that a person puts in other words, with at least one of its own."""
_PART = 5
"""Letters of a word that tell a name inside an address."""


class JudgedParameters(Check):
    """Checks judgements: `required` values must be stated, `hidden` values absent."""

    name = "judged_parameters"
    kinds = frozenset({"parameters"})
    explains = (
        ("false_stated", "A parameter is marked as stated, and the text does not state it."),
        ("missed_stated", "The text states a parameter that is marked as not stated."),
    )

    def examine(self, subject: Subject) -> Finding:
        """Drop judgements that the words of the request contradict."""
        values = (*subject.required, *subject.hidden)
        words = " ".join(entry.value for entry in values if _is_free_text(entry))
        foreign = english_confidence(words) < LEAST_CONFIDENCE
        rest = subject.text
        for entry in subject.required:
            if entry.quote and len(entry.quote) < len(subject.text) / 2:
                rest = rest.replace(entry.quote, ";")
            is_sentence = len(entry.value.split()) >= _SENTENCE
            if entry.quote and _is_free_text(entry) and (foreign or is_sentence):
                # A request translates or paraphrases sentences, which nothing here can compare.
                continue
            spoken = entry.quote or subject.text
            if not says(spoken, entry) and not _can_mean(entry.quote, entry):
                return dropped("false_stated", f"{entry.name}={entry.value!r} is not stated")
        stated = {entry.value for entry in subject.required}
        for entry in subject.hidden:
            # Words for another parameter say nothing about this one.
            if entry.value not in stated and _is_stated(rest, entry):
                return dropped("missed_stated", f"{entry.name}={entry.value!r} is stated")
        return passing(f"{len(subject.required)} stated, {len(subject.hidden)} absent")


def _is_free_text(entry: Value) -> bool:
    """Whether a person wrote the value; Apple named the options of choices in English."""
    is_option = entry.value.isascii() and (CHOSEN.search(entry.name) or OPTION.search(entry.name))
    return not (is_option or any(map(str.isdigit, entry.value)) or OTHER_SCRIPT.search(entry.value))


def _can_mean(quote: str, entry: Value) -> bool:
    """Whether a quote can mean the value; a quote is about one value, so any wording will do."""
    if not quote:
        return False
    texts = (entry.value, *entry.titles)
    number = read_number(entry.value)
    if len(quote) * _SHORTER < len(entry.value) and "\n" in entry.value:
        return False  # Nobody says a whole file or table in a few words.
    if (number in {0, 1} and entry.name in _COMPARED) or OTHER_SCRIPT.search(entry.value):
        # "If there is any" compares with 0, and a code of a service may be 0 or 1.
        return True
    if number is not None and _has_number(quote, number, entry):
        return True
    value = entry.value.strip().casefold()
    if value in _ON | _OFF or (value in {"0", "1"} and not hints_of(entry).counts):
        return (value in _ON | {"1"}) is not bool(_NEGATIVE.search(quote.casefold()))
    if number is not None:
        return False
    whole = read(entry.value)
    measured = sum(part.end - part.start for part in whole.amounts)
    measured += sum(part.end - part.start for part in whole.clocks)
    measured += sum(part.end - part.start for part in whole.days)
    if measured < len(whole.items):
        return _shares_words(quote, texts)
    measures = {amount.unit.measures for amount in whole.amounts if amount.unit}
    # `says` has compared amounts of one kind.
    return not any(
        amount.unit and amount.unit.measures in measures for amount in read(quote).amounts
    ) and any(_has_number(quote, amount.value, entry) for amount in whole.amounts)


def _has_number(quote: str, number: float, entry: Value) -> bool:
    """Whether a quote expresses a number in another form, in another unit or by a word."""
    reading = read(quote)
    words = set(plain(quote).split())
    numbers = list(_numbers(reading))
    units = [unit for unit in hints_of(entry).units if unit.measures not in _SCALES]
    measures = {unit.measures for unit in units if unit.size}
    if any(amount.unit and amount.unit.measures in measures for amount in reading.amounts):
        return False  # `says` has compared them.
    if (
        not numbers
        and (not units or any(map(unit_named, words)))
        and words & _AS_NUMBER.get(number, frozenset())
    ):
        return number != 1 or not quote.rstrip(".!?").removesuffix("'s").endswith("s")
    texts = (entry.value, *entry.titles)
    if "hour" in plain(entry.label):
        texts = (*texts, f"{entry.value}:00")
    allowed = numbers_in(texts)
    in_units = any(amount.unit is not None for amount in reading.amounts)
    if "per" in words:
        numbers += [1 / n for n in numbers if n]
    return any(
        is_supported(n, allowed, converted=in_units)
        or (number < 1 and math.isclose(n, number, rel_tol=0.01))
        for n in numbers
    )


def _numbers(reading: Reading) -> Iterator[float]:
    """Yield the numbers of a quote, and a fraction as a percentage too."""
    for i, item in enumerate(reading.items):
        if item.kind != "number":
            continue
        yield abs(item.value)
        # "A fifth" alone is read as the fifth thing.
        is_part = item.ordinal and i and reading.items[i - 1].word in {"a", "one"}
        part = 1 / item.value if is_part else item.value
        if is_part or item.fraction:
            yield from (part, part * 100, 1 + part, 1 - part)


def _shares_words(quote: str, texts: tuple[str, ...]) -> bool:
    """Whether the words of a quote are all in one of the texts, or have all of its words."""
    spoken = _content(plain(quote.replace("US", "usa")))
    joined = plain(quote).replace(" ", "")
    for text in texts:
        pictures = (unicodedata.name(sign, "") for sign in text if not sign.isascii())
        named = _content(
            title_words(" ".join((_SIGNS.get(text, text.replace("US", "usa")), *pictures)))
        )
        missing = {word for word in named if not _is_spoken(word, spoken)}
        strange = {word for word in spoken if not any(_is_spoken(n, {word}) for n in named)}
        if missing and "_" in text:
            continue  # A name in code is no word with further words.
        is_sentence = len(text.split()) >= _SENTENCE
        if (named - missing and (is_sentence or not (missing and strange))) or (
            len(joined) >= _PART and joined in plain(text).replace(" ", "")
        ):
            return True
    return False


def _is_spoken(named: str, spoken: set[str]) -> bool:
    long = [word for word in spoken if min(len(word), len(named)) >= _PART]
    return (
        named in spoken
        or any(word in named or named in word for word in long)
        or any(named in group and group & spoken for group in _ALIKE_STEMS)
    )


def _content(text: str) -> set[str]:
    words = [word.replace("our", "or") for word in text.split()]
    telling = {stem(word) for word in words if word not in STOPWORDS | _BLAND and len(word) > 1}
    return telling or set(map(stem, words))


def _is_stated(text: str, entry: Value) -> bool:
    """Whether a text states a value that is informative, or a small count with its unit."""
    number = read_number(entry.value)
    if number is not None:
        titles = [title for title in entry.titles if read_number(title) is None]
        if abs(number) <= SMALL and number == int(number):
            return any(says(text, Value(title)) for title in titles)
    if any(map(str.isdigit, entry.value)):
        return says(text, entry)
    words = [plain(wording) for wording in (entry.value, *entry.titles)]
    if entry.name in _COMPARED and " " not in words[0]:
        return False  # A code of a service.
    if _is_free_text(entry) and " " not in words[0]:
        # "Show an alert" does not state its title "Alert".
        value = re.escape(entry.value)
        return bool(re.search(rf'(?<=[a-z,;:] ){value}\b|["\u201c]{value}["\u201d]', text))
    there = f" {plain(text)} "
    return any(len(wording) > 2 and f" {wording} " in there for wording in words)


CHECK = JudgedParameters()
