"""Judge replies whose answer is a name, a word or another text."""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator
from decimal import Decimal
from itertools import pairwise

from benchloom.worlds.answers.names import CLOSED, NO_NAMES, WORD
from benchloom.worlds.answers.question import Question, stems_of
from benchloom.worlds.answers.reply import NEGATORS, Mention, Reply
from benchloom.worlds.answers.selection import answers_among
from benchloom.worlds.answers.values.numbers import FUNCTION_WORDS, numbers_in, stem

_PHONE = re.compile(r"\+?[0-9](?:[ ().-]{0,2}[0-9]){5,20}")
_PHONES = re.compile(r"(?<![\w+])\+?[0-9](?:[ ().-]{0,2}[0-9]){5,20}(?!\w)")
_TOKEN = re.compile(r"[^\W_]+|[@_&%+]")
_STRICT = re.compile(r"\S*[@_0-9]\S*")
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PLACED = re.compile(
    r"\b(?P<frame>[A-Za-z][\w-]*)(?:'s)? ?(?::|(?:(?:is|was|are|for|in|at|with|by|to|called|named"
    r"|labelled)\b ?){0,3}) ?(?<=[ :])(?:the )?(?=[\"A-Z])"
)
_PRONOUNS = frozenset({"it", "that"})
_ASKING = frozenset({"where", "who"})
_PLACED_NAME = re.compile(r"\"[^\"\n]{1,80}\"|[A-Z][\w'-]+(?: [A-Z][\w'-]+)*")
_IS_THE = re.compile(r"\"? (?:is|was|will be|'ll be) the (\w+)")
_ITEM = re.compile(rf"{_PLACED_NAME.pattern}|\b[a-z-]+\b(?<!and)(?<!or)")
_NAME = rf"(?:{_PLACED_NAME.pattern}|\"?x{{2,}}\"?)"
_LISTED = re.compile(
    rf"(?:(?:{_NAME}, ){{0,20}}{_NAME},? (?:and|&|as well as) {_NAME}"
    r"|\b(?:[a-z-]+, ){2,20}(?:and |or )?[a-z-]+)"
    r"(?=\"?(?:[.;!?)]| (?:both|are|were|have|mention|link)\b|\s*$))",
    re.MULTILINE,
)
"""Matches a list of names with `and`, or of at least three words; `xx` stands for a right value."""
_FAR = 100
_QUESTION_MARK = re.compile(r" ?\?")
_INFLECTED = r"(?:y|gy|ny|s|ing|ed|ly)?"
_OR = re.compile(r"\bor\b|\w\"?\s?/\s?\"?\||\|\"?\s?/\s?\"?\w(?![\w ]*:)")
_LABEL = re.compile(r"(?:^|, )([^,:\n]{1,40}): \"?$", re.MULTILINE)
_SHORT_TEXT = "street:st road:rd avenue:ave boulevard:blvd drive:dr lane:ln court:ct suite:ste"
_SHORT_FORMS = {pair.split(":")[0]: f"(?:{pair.replace(':', '|')})" for pair in _SHORT_TEXT.split()}
"""A mapping from words in addresses to patterns that also match their abbreviations."""
_GOES_ON = re.compile(r" [A-Z]")
_LONG = 4
_MAX_TOKENS = 2000


def judge_words(question: Question, reply: Reply, value: str) -> str:
    """Return why a reply does not state the text `value`, or "" if it does."""
    if value in reply.links or (question.listed_records and covers(reply, value)):
        return ""
    mentions = _mentions(question, reply, value) or paraphrases(question, reply, value)
    if not mentions:
        return "not said"
    phrase = " " in value and (value.islower() or value.endswith("?"))
    reply = _without_inner_signs(reply, mentions, phrase=phrase)
    rivals = _rivals(question, reply, value, mentions)
    apart = [rival for rival in rivals if not any(map(rival.overlaps, mentions))]
    reason = answers_among(question, reply, [*mentions, *apart])
    if reason:
        return reason
    alone = isinstance(question.answer, str)
    guesses = alone and all(_is_alternative(reply, mention) for mention in mentions)
    return "one of several guesses" if guesses else ""


def _without_inner_signs(reply: Reply, mentions: list[Mention], *, phrase: bool) -> Reply:
    """Mask the right values in a reply, so that the punctuation inside them does not count."""
    letters = list(reply.text)
    for mention in mentions:
        mark = _QUESTION_MARK.match(reply.text, mention.end) if phrase else None
        end = mention.end if mark is None else mark.end()
        letters[mention.start : end] = "x" * (end - mention.start)
    return reply.with_text("".join(letters))


def _mentions(question: Question, reply: Reply, value: str) -> list[Mention]:
    if "old" in question.arguments and " " in value:
        spellings = [(re.escape(Reply(value).lower.rstrip(".!?")), False)]
    else:
        spellings = _spellings(value, question.names | set(question.field.split("_")))
    accented = value != _unaccented(value)
    if accented:
        spellings += [(_unaccented(pattern), cased) for pattern, cased in spellings]
    for pattern, cased in spellings:
        text = reply.text if cased else reply.lower
        if accented and pattern == _unaccented(pattern):
            text = _unaccented(text)
        mentions = [
            Mention(*match.span(), fits=True, key=value.lower(), worded=True)
            for match in re.finditer(pattern, text)
            if not (
                reply.text.endswith('"', 0, match.start())
                and _GOES_ON.match(reply.text, match.end())
            )
        ]
        if mentions:
            return mentions
    return []


def _spellings(value: str, question_names: frozenset[str]) -> list[tuple[str, bool]]:
    """Return a pattern for each spelling of a text, and whether the pattern is case-sensitive."""
    if _PHONE.fullmatch(value):
        digits = r"[ ().-]{0,2}".join(re.sub(r"^\+1(?=\D*(?:[0-9]\D*){10}$)|\D", "", value))
        return [(rf"(?<![\w+])(?:\+?1[ .-]?\(?|\+|00)?{digits}(?!\w)", False)]
    if _STRICT.fullmatch(value):
        spelling = re.escape(value.lower()).replace("@", r"(?:@| ?[\[(]at[\])] ?)")
        return [(rf"(?<![\w@.+-]){spelling}(?![\w@-]|\.\w)", False)]
    tokens = _TOKEN.findall(value)
    if not tokens or len(tokens) > _MAX_TOKENS:
        return [(re.escape(value.lower()), False)]
    if len(tokens) > 1 and value.isupper():
        return [(_bounded(_joined(tokens)), True)]
    if len(tokens) == 1 and value.islower():
        base = re.sub(r"(?:gy|ny|y|s)$", "", value) if len(value) > _LONG else value
        return [(_bounded(re.escape(base) + _INFLECTED), False)]
    lowered = [token.lower() for token in tokens]
    short = list(lowered)
    while len(short) > 1 and short[-1] in question_names and tokens[len(short) - 1][0].isupper():
        short.pop()
    patterns = [(_bounded(_joined(lowered)), False)]
    if len(short) < len(lowered):
        pattern = _joined([token.capitalize() for token in short])
        patterns.append((rf"{_bounded(pattern)}(?! [A-Z])", True))
    return patterns


def _bounded(pattern: str) -> str:
    return rf"(?<!\w){pattern}(?!\w)"


def _joined(tokens: list[str]) -> str:
    return r"(?:,? in |[\W_]{1,6})".join(
        _SHORT_FORMS.get(token, re.escape(token)) for token in tokens
    )


def _unaccented(text: str) -> str:
    return "".join(unicodedata.normalize("NFD", letter)[0] for letter in text)


def _rivals(question: Question, reply: Reply, value: str, mentions: list[Mention]) -> list[Mention]:
    """Return the values in a reply that could be meant as the answer instead of the right one.

    Such a value is in the same set of alternatives (`CLOSED`) as the right value, or has the same
    form (both are phone numbers, for example), or has the same label.
    """
    low = value.lower()
    matches: list[re.Match[str]] = []
    for words in CLOSED:
        if low in words:
            matches += re.finditer(rf"\b(?:{'|'.join(words)})\b", reply.lower)
    if _PHONE.fullmatch(value):
        matches += _PHONES.finditer(reply.lower)
    elif _ADDRESS.fullmatch(low):
        matches += _ADDRESS.finditer(reply.lower)
    elif value[:1].isupper():
        matches += _names_after_words(question, reply)
    matches += _labelled_alike(reply, mentions)
    question_text = f"{question.text}\n{' '.join(map(str, question.arguments.values()))}".lower()
    if isinstance(question.answer, str):
        matches += _listed(reply, mentions)
    return [
        Mention(*match.span(), fits=False, key=match[0].lower())
        for match in matches
        if not {*match[0]} <= {*'xX"'}
        and not {word.lower() for word in WORD.findall(match[0])} <= question.answer_words
        and match[0].lower() not in (low, *question_text.split())
        and match[0].lower().strip('"') not in question_text
    ]


def _names_after_words(question: Question, reply: Reply) -> Iterator[re.Match[str]]:
    """Yield names beside a word of the question: `town is Lomm`, `Lomm is the warmest`."""
    question_words = (question.stems | stems_of(question.field_words)) - question.names
    for match in _PLACED.finditer(reply.text):
        frame = match["frame"].lower()
        stands_in = frame in _ASKING and frame in question.clause.lower()
        if stands_in or frame in _PRONOUNS or stem(frame) in question_words:
            name = _PLACED_NAME.match(reply.text, match.end())
            if name is not None and re.split("[ ']", name[0].lower())[0] not in NO_NAMES:
                yield name
    for name in _PLACED_NAME.finditer(reply.text):
        following = _IS_THE.match(reply.text, name.end())
        if following is not None and stem(following[1]) in question.stems:
            yield name


def _labelled_alike(reply: Reply, mentions: list[Mention]) -> Iterator[re.Match[str]]:
    """Yield the values after the same label as a right value, as in a column of a table."""
    for mention in mentions:
        label = _LABEL.search(reply.text, max(0, mention.start - _FAR), mention.start)
        if label is not None:
            yield from re.finditer(rf"(?<={re.escape(label[1])}: )[^,\n]+", reply.text)


def _listed(reply: Reply, mentions: list[Mention]) -> Iterator[re.Match[str]]:
    for match in _LISTED.finditer(reply.text):
        if any(match.start() <= mention.start < match.end() for mention in mentions):
            yield from _ITEM.finditer(reply.text, match.start(), match.end())


def _is_alternative(reply: Reply, mention: Mention) -> bool:
    sentence = reply.sentence(mention.start)
    before = reply.lower[sentence.start : mention.start]
    after = reply.lower[mention.end : sentence.end].partition(" -- ")[0]
    return _OR.search(f"{before}|{after}") is not None


_LIGHT_TEXT = """
    be been lie lies is stand stands sit situated located find found take takes took place hold see
    holds held has have had need needs say says said tell tells told ask asks go goes going do does
    hello hi dear well type kind sort one you i we they it us them me must should can could please
    let"""
_LIGHT = frozenset(map(stem, _LIGHT_TEXT.split())) | frozenset(_LIGHT_TEXT.split())
_SAME = (
    ("people", "inhabitants", "residents", "persons"),
    ("start", "begin", "starts", "begins"),
    ("fine", "good", "suits", "suit", "works"),
    ("big", "large"),
    ("quick", "fast"),
    ("often", "typically", "usually", "generally", "commonly", "frequently"),
    ("around", "surrounds", "surrounding"),
    ("sleep", "slept"),
    ("birth", "born"),
    ("death", "died"),
)
"""Groups of synonyms that people exchange when they paraphrase a text."""
_SYNONYMS = {stem(word): stem(words[0]) for words in _SAME for word in words}
_LEAST = 2
_HALF, _TITLE = 0.5, 0.8
"""The shares of the content words of a longer text and of a title that a reply must contain."""


def paraphrases(question: Question, reply: Reply, value: str) -> list[Mention]:
    """Return the part of a reply that paraphrases a text, as a list of at most one mention.

    The paraphrase must contain the numbers and names of the text unchanged.
    """
    value_stems = _content(value)
    plain = [word for word in WORD.findall(value) if word.islower() and stem(word) in value_stems]
    question_stems = {stem(word) for word in WORD.findall(question.text)}
    if (
        "@" in value
        or len(plain) < _LEAST
        or 2 * len(question_stems & value_stems.keys()) >= len(value_stems)
    ):
        return []
    positions = _content(_sentences_with(reply, value_stems))
    if not value_stems.keys() <= positions.keys():
        return []
    start = min(positions[key][0] for key in value_stems)
    end = max(positions[key][1] for key in value_stems)
    if re.search(r"\bMay\b", value) and not re.search(r"\bMay\b", reply.text):
        return []
    if len(NEGATORS.findall(value.lower())) != len(NEGATORS.findall(reply.lower[start:end])):
        return []
    return [Mention(start, end, fits=True, key=value.lower(), worded=True)]


def covers(reply: Reply, text: str) -> bool:
    """Whether a reply has 80 % of a title's content words, or half of a longer text's words."""
    roots, stated = ({key[:5] for key in _content(part)} for part in (text, reply.lower))
    least = _HALF if sum(map(str.islower, WORD.findall(text))) > _LONG else _TITLE
    return len(roots) > 1 and len(roots & stated) >= least * len(roots)


def _sentences_with(reply: Reply, stems: Collection[str]) -> str:
    """Blank out the questions in a reply, and the sentences that contain none of the stems."""
    starts = [0, *(sentence.start for sentence in reply.sentences[1:]), len(reply.lower)]
    texts = [reply.lower[start:end] for start, end in pairwise(starts)]
    return "".join(
        text
        if not sentence.is_question and any(stem(word) in stems for word in WORD.findall(text))
        else " " * len(text)
        for text, sentence in zip(texts, reply.sentences, strict=True)
    )


def _content(text: str) -> dict[str, tuple[int, int]]:
    lower = text.lower()
    spans: dict[str, tuple[int, int]] = {}
    numbers = numbers_in(lower, lower)
    counts = Counter[Decimal]()
    for number in numbers:
        counts[number.value] += 1
        spans[f"{number.value.normalize():f}, {counts[number.value]}"] = number.start, number.end
    for match in WORD.finditer(lower):
        word = match[0].removesuffix("'s")
        key = _SYNONYMS.get(stem(word), stem(word))
        light = word in FUNCTION_WORDS or word in _LIGHT or key in _LIGHT
        if not light and not any(number.start <= match.start() < number.end for number in numbers):
            spans[key] = match.span()
    return spans
