"""Find names in a text despite small differences: "Barba and Co" for "Barba & Co."."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from prompts.language.statements.hints import singular
from prompts.language.statements.items import folded, items_of, normal
from prompts.language.statements.reading import (
    LEFT_OUT,
    NEGATORS,
    Reading,
    compared_words,
    negated,
    plain_word,
)
from prompts.language.words import STOPWORDS, title_words, word_set

_GENERIC = word_set(
    "restaurant hotel inn cafe bar grill grille theater theatre cinema cinemas airport station "
    "airlines airline airways city museum salon clinic co inc ltd llc company group dr mr mrs ms "
    "restaurants hotels spa resort suites class md dds pizzeria eatery transit terminal arena "
    "stadium center centre county township band app specialist studio dentistry dental office "
    "rental account bistro sushi thai cuisine kitchen taqueria brewery brewing brewhouse tavern "
    "steakhouse lounge seafood korean indian mexican vietnamese italian chinese japanese "
    "mediterranean american movie bakery club international pizza bbq barbecue noodle noodles "
    "house market catering tapas wine oven burrito burritos burgers burger ramen deli diner food"
)
_GENERIC_FIRST = word_set(
    "restaurant hotel inn cafe theater cinema airport city museum dr mr mrs ms movie app salon "
    "clinic album song"
)
_LOOSE = word_set("class airlines airline airways account app type city dr specialist")
"""Generic words that people may omit from the names of options. The remaining word need not be
capitalised."""
_SECOND_PART = re.compile(r"\s*[:|]\s|\s[-\u2013]\s|\s(?:[Bb]y|[Aa]t)\s|\s&\s|,\s")
_ALIASES = {
    "new york": ("nyc", "new york city", "big apple"),
    "new york city": ("nyc", "new york"),
    "san francisco": ("san fran", "frisco"),
    "las vegas": ("vegas",),
    "atlanta": ("atl",),
    "chicago": ("chi-town", "chitown"),
    "philadelphia": ("philly",),
    "washington d c": ("dc", "d c", "washington", "washington dc", "district of columbia"),
    "washington dc": ("dc", "d c", "washington"),
    "washington": ("dc", "d c"),
    "new orleans": ("nola",),
    "united kingdom": ("uk",),
    "united states": ("usa",),
}
_MEANT = (
    "inexpensive cheap affordable budget low-cost economical low-priced",
    "expensive pricey costly high-end upscale",
    "moderate mid-range mid-priced reasonable",
    "compact small",
    "movie film",
    "lodging accommodation",
    "music concert",
)
_GROUPS = {word: group for group in _MEANT for word in group.split()}
_REGION = re.compile(r"[A-Z]{2}|[A-Z]\.[A-Z]\.?|[A-Z][a-z]+(?: [A-Z][a-z]+)?")
_LONG = 7
"""Minimum letters of a word that may contain a typing error. In a name of several words, one letter
less is enough."""
_MOST = 24
"""Maximum words of a value that may differ in the text; longer values must occur literally."""


def states_text(reading: Reading, value: str) -> bool:
    """Whether a text contains the words of a value; small differences are allowed.

    A value that the text negates does not count as stated.
    """
    if not any(sign.isalnum() for sign in value):
        # A value of signs alone (an emoji, "->") must occur unchanged.
        return not value.strip() or normal(value).strip() in reading.text
    words, positions, vocabulary = reading.worded
    for form, short in _forms(value):
        if len(form) == 1 and form[0] in LEFT_OUT:
            return form[0] in {item.word for item in reading.plain}
        free = form[0] in NEGATORS
        common = len(form) == 1 and form[0] in STOPWORDS and value[:1].isupper()
        for start in _occurrences(words, vocabulary, form):
            if common and not _is_title(reading, positions[start]):
                continue
            if short and not _is_proper(reading, positions[start], form[0]):
                continue
            if free or not negated(reading.plain, positions[start]):
                return True
    return _short_form(reading, value) or _long_form(reading, value)


def _long_form(reading: Reading, value: str) -> bool:
    """Whether a text spells out the parts of a clipped word: "science fiction" for "Sci-fi"."""
    parts = folded(value).split("-")
    if len(parts) != 2 or not all(part.isalpha() and 1 < len(part) < 5 for part in parts):
        return False
    words = [item.word for item in reading.plain if item.word != "-"]
    return any(
        first.startswith(parts[0]) and second.startswith(parts[1]) and len(first) > len(parts[0])
        for first, second in pairwise(words)
    )


def _is_title(reading: Reading, index: int) -> bool:
    """Whether a common word is used as a title, as in "watch Up", but not in "wake me up"."""
    item = reading.plain[index]
    before = reading.plain[index - 1].word if index else "."
    return reading.text[item.start].isupper() and (before not in ".!?" or len(reading.plain) < 4)


def _is_proper(reading: Reading, index: int, expected_word: str) -> bool:
    """Whether a word is used as the short form of a longer name, as in "at Yoshio"."""
    item = reading.plain[index]
    if plain_word(item.word) != expected_word:
        return False
    if reading.text.islower():
        return True
    before = reading.plain[index - 1] if index else item
    part = before.kind == "word" and reading.text[before.start].isupper()
    # "Financial District" is another name than "The District".
    longer = part and index > 1 and before.word not in _GENERIC
    return reading.text[item.start].isupper() and not longer


@lru_cache(maxsize=2048)
def _forms(value: str) -> tuple[tuple[tuple[str, ...], bool], ...]:
    """Return the ways to write a value, as tuples of words.

    Each is paired with whether it is only one word of a longer name.
    """
    normal_text = normal(value)
    texts = [normal_text, title_words(normal_text)]
    city, comma, region = normal_text.partition(",")
    if (
        comma
        and not any(sign.isdigit() for sign in normal_text)
        and _REGION.fullmatch(region.strip())
    ):
        texts.append(city)
    if "(" in normal_text:
        texts.append(re.sub(r"\([^()]*\)", " ", normal_text))
    texts.extend(_ALIASES.get(" ".join(folded(city).replace(".", " ").split()), ()))
    whole = len(texts)
    # "Hello, Nora!" is a sentence, not a name and its place.
    if normal_text[-1:] not in ".!?":
        texts.append(_SECOND_PART.split(normal_text, maxsplit=1)[0])
    forms: dict[tuple[str, ...], bool] = {}
    for number, text in enumerate(texts):
        items = items_of(text)
        words = tuple(compared_words(items)[0]) or tuple(item.word for item in items[:1])
        if not words or (number == whole and not any(len(word) > 3 for word in words)):
            continue
        forms.setdefault(words, number == whole and len(words) == 1)
        core = _without_generic(words)
        forms.setdefault(core, len(core) == 1 and not _LOOSE & set(words))
        if len(words) == 2:
            # A "kitchen speaker" is the speaker in the kitchen.
            forms.update(((words[1], link, words[0]), False) for link in ("in", "of", "from"))
        if len(words) == 1 or text.islower():
            forms.update((other, False) for other in _meant_alike(words))
    return tuple(forms.items())


def _meant_alike(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return a phrase with synonyms of its last word: "very costly" for "very expensive"."""
    others = _GROUPS.get(words[-1], "").split()
    return [(*words[:-1], *other.split("-")) for other in others]


def _without_generic(words: tuple[str, ...]) -> tuple[str, ...]:
    low, high = 0, len(words)
    while low < high and words[low] in _GENERIC_FIRST:
        low += 1
    while high > low and words[high - 1] in _GENERIC:
        high -= 1
    core_words = words[low:high]
    return core_words if any(len(word) > 3 for word in core_words) else words


def _occurrences(
    words: list[str], vocabulary: frozenset[str], form: tuple[str, ...]
) -> Iterator[int]:
    """Yield the indexes at which the words of `form` occur in sequence or as one word.

    Plurals and typing errors are allowed.
    """
    size = len(form)
    if size > _MOST:
        text, sought = f" {' '.join(words)} ", f" {' '.join(form)} "
        at = text.find(sought)
        if at >= 0:
            yield text.count(" ", 0, at + 1) - 1
        return
    first = form[0]
    long = _LONG if size == 1 else _LONG - 1
    for i in range(len(words) - size + 1):
        if (words[i] == first or _alike(words[i], first, long)) and all(
            words[i + k] == form[k] or _alike(words[i + k], form[k], long) for k in range(1, size)
        ):
            yield i
    joined = "".join(form)
    if len(joined) < 4:
        return
    if size > 1 and joined in vocabulary:
        yield words.index(joined)
    for i, word in enumerate(words):
        if joined.startswith(word) and word != joined:
            j, rest = i + 1, joined[len(word) :]
            while rest and j < len(words) and rest.startswith(words[j]) and j < i + _MOST:
                rest = rest[len(words[j]) :]
                j += 1
            if not rest and j - i != size:
                yield i


@lru_cache(maxsize=100_000)
def _alike(word: str, other: str, long: int) -> bool:
    """Whether two words are equal, apart from a plural, "-ly" or (if long) a typing error."""
    if not word or not other or word[0] != other[0] or word[-1].isdigit() or other[-1].isdigit():
        return False
    if singular(word) == singular(other):
        return True
    if len(other) >= 5 and word == f"{other}ly":
        return True
    if min(len(word), len(other)) < long:
        return False
    return _differ_by_typo(word, other)


def _differ_by_typo(word: str, other: str) -> bool:
    """Whether two words differ by one extra, missing, wrong or swapped letter."""
    if abs(len(word) - len(other)) > 1:
        return False
    pairs = enumerate(zip(word, other, strict=False))
    alike = next((i for i, (a, b) in pairs if a != b), min(len(word), len(other)))
    left, right = word[alike:], other[alike:]
    if left[1:] == right[1:] or left[1:] == right or left == right[1:]:
        return True
    return left[:2] == right[1::-1] and left[2:] == right[2:]


def _short_form(reading: Reading, value: str) -> bool:
    """Whether the text has the initials of the value: "LA" or "L.A." for "Los Angeles"."""
    parts = re.findall(r"[^\W\d_]+", normal(value))
    if not 1 < len(parts) <= 4 or any(sign.isdigit() for sign in value):
        return False
    initials = "".join(part[0] for part in parts).upper()
    if initials in {"AM", "PM", "TV", "OK", "IT", "IS", "OR", "AT", "TO", "IN", "US"}:
        return False
    dotted = r"\.\s?".join(initials)
    if re.search(rf"(?<!\w){dotted}\.?(?!\w)", reading.text):
        return True
    return any(
        item.kind == "word" and item.word == initials.casefold()
        and reading.text[item.start : item.end] == initials
        and not negated(reading.plain, i)
        for i, item in enumerate(reading.plain)
    ) and not reading.text.isupper()  # fmt: skip
