"""Judge replies whose answer is a number: a sum of money, a measure or a count."""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from itertools import chain, combinations, pairwise, permutations
from operator import add, mul, sub, truediv

import msgspec

from benchloom.worlds.answers.names import WORD
from benchloom.worlds.answers.question import Question, stems_of
from benchloom.worlds.answers.reply import MAX_MENTIONS, Mention, Reply
from benchloom.worlds.answers.selection import answers_among
from benchloom.worlds.answers.values.numbers import Number, stem
from benchloom.worlds.answers.values.units import unit_of_field, units_of_field

_CENTS = 100
_CENT_DECIMALS = 2
_SAME_COUNT = tuple(
    frozenset(map(stem, words.split()))
    for words in (
        "people person contact member participant passenger traveler guest seat place spot ticket",
        "piece unit item copy loaves loaf bottle pack packet box bag jar pc pcs",
    )
)
_APPROXIMATE = re.compile(
    r"(?:\b(?:about|around|roughly|approximately|approx|circa|nearly|almost)\b|[≈~])"
    r"\.? ?(?:the |a )?-?$"
)
_ROUGHLY = re.compile(
    r"\b(?:about|around|roughly|approximately|nearly|almost|a cent (?:more|less))\b|[≈~]"
)
_SIGNS = frozenset("+*/^\u00d7\u00f7")
_OPERATOR = re.compile(
    rf"[{''.join(sorted(map(re.escape, _SIGNS)))}x](?! ?[a-z])|- (?=[0-9($€£])|plus\b|times\b"
)
_OPERAND = re.compile(
    r"\b(?:plus|minus|times|by"
    r"|(?:rose|rises|fell|falls|dropped|drops|gained|gains|lost|loses)(?: by)?) $"
)
_RATE = re.compile(r"\b(?:close|price|rate) of $")
_WHOLE = re.compile(
    r"(?: (?:are|is))?(?: (?:left|free|still|available))?(?: out)? of (?:the |all )?"
)
_EACH = re.compile(
    r" ?(?:(?:each|apiece|per (?!cent))\b|an? (?:day|night|week|month|person|head)\b)"
)
_SINGLE = re.compile(r"price|night|fare|rent|fee|cost")
_HOW_MANY = re.compile(r"\bhow many (\w+ \w+)")
_OF_THEM = re.compile(r",? of (?:them|these|those|which|whom)\b,?(?: (?:only |just )?)?")
_DIFFERENCE = re.compile(
    r" ?(?:\w+ )?(?:less|fewer|cheaper|later|earlier|longer|extra|more(?! (?!than\b)[a-z]))\b"
)
_BEFORE = re.compile(r"([a-z°%][\w']*)[ -]?$")
_LABELLED = re.compile(
    r"train|flight|bus|ferry|room|page|number|no|nr|line|level|platform|gate|table|seat|item"
    r"|version|step|track|id"
)
"""Words that show that the number after them is part of a name, as in `platform 4`."""
_MULTIPLES = {"min": {"h": 60}, "s": {"min": 60, "h": 3600}}
_MULTIPLES |= {"celsius": {"degree": 1}, "fahrenheit": {"degree": 1}}
"""A mapping from a field's unit to the units that a reply may use instead, with their factors."""
_LARGEST = Decimal(10) ** 15
_SAME = Decimal("1e-6")
_LONG_TAIL = _THOUSANDTHS = 3
_CLOSE, _ROUGH = Decimal("0.005"), Decimal("0.02")
"""The maximum relative error of a rounded value: normally, and if the reply says "about"."""
_OPERANDS = 6


class RequestedNumber(msgspec.Struct, frozen=True):
    """The number that answers a question, and the units and nouns that may follow it in a reply.

    `unit` is the unit in the name of the result field, such as "cent" for `price_cents`. If the
    name contains no unit, `unit` is "", and `units` are the units that a reply may use. `counted`
    contains the stems of the nouns for the counted things, and `others` the stems of the remaining
    nouns in the question. `multiples` maps units that a reply may use instead to their factors.
    """

    value: Decimal
    unit: str
    units: frozenset[str]
    counted: frozenset[str]
    others: frozenset[str]
    multiples: Mapping[str, int]


def judge_numbers(question: Question, reply: Reply, values: Sequence[float]) -> str:
    """Return why a reply does not state all requested numbers, or "" if it does.

    The reply can state the numbers one by one, or joined by slashes as in `120/80`. If the numbers
    differ by at most 1, a single number with a word such as "about" suffices.
    """
    pair = re.escape("/".join(map(str, values)))
    if len(values) > 1 and re.search(rf"(?<![\w./]){pair}(?![\w/]|\.[0-9])", reply.lower):
        return ""
    targets = [_requested_number(question, value) for value in dict.fromkeys(values)]
    groups = [_number_mentions(question, reply, target) for target in targets]
    request_keys = _numbers_in_request(question, targets[0])
    low, high = Decimal(repr(min(values))), Decimal(repr(max(values)))
    if all(any(mention.fits for mention in group) for group in groups):
        mentions = sorted(chain(*groups), key=lambda mention: mention.fits)
        merged = {mention.start: mention for mention in mentions}
        return answers_among(question, reply, [*merged.values()], request_keys)
    if high - low > 1 or not _ROUGHLY.search(reply.lower):
        return "not said"
    groups = [
        [mention for mention in group if mention.fits or not low < Decimal(mention.key) < high]
        for group in groups
    ]
    reasons = [answers_among(question, reply, group, request_keys) for group in groups]
    return "" if "" in reasons else reasons[0]


def _requested_number(question: Question, value: float) -> RequestedNumber:
    field = question.field
    unit = unit_of_field(field, question.arguments)
    units = frozenset() if unit else units_of_field(field)
    things = field.partition("_per_")[0].split("_")
    counted = frozenset() if unit or not field else frozenset(map(stem, things))
    for words in _SAME_COUNT:
        if counted & words:
            counted |= words
    asked_stems = stems_of(" ".join(_HOW_MANY.findall(question.clause.lower())))
    nouns = question.stems - counted - question.name_stems - asked_stems
    multiples = {} if "to_unit" in question.arguments else _MULTIPLES.get(unit, {})
    return RequestedNumber(Decimal(repr(value)), unit, units, counted, nouns, multiples)


def _terms_in(
    question: Question, reply: Reply, target: RequestedNumber
) -> tuple[set[int], set[Decimal]]:
    """Return the positions and the values of the numbers that are only parts of the answer.

    Parts are the terms of a calculation, the total beside its share (12 in `9 of 12`), and the
    price of a single piece (`4 crowns each`).
    """
    numbers = reply.numbers
    shares = isinstance(question.answer, list)
    signs = _SIGNS - {"/"} if shares else _SIGNS
    parts = [number for number in numbers if _is_part(reply.lower, number, signs)]
    if not question.names_field("price close rate"):
        starts = ((number, max(0, number.start - 20)) for number in numbers)
        parts += [part for part, start in starts if _RATE.search(reply.lower, start, part.start)]
    for number, following in pairwise(numbers):
        ends = {number.end, number.end if number.unit == "percent" else number.finish}
        if any(_WHOLE.fullmatch(reply.lower, end, following.start) for end in ends):
            parts.append(following)
        elif _shared(target, number, frozenset()) and (
            _OF_THEM.match(reply.lower, following.end)
            or _OF_THEM.fullmatch(reply.lower, number.finish, following.start)
        ):
            last = reply.segment(following.start)[1]
            words = stems_of(reply.lower[following.end : last])
            words -= stems_of(reply.lower[number.end : number.finish])
            parts.append(number if words and words <= question.stems else following)
    shares |= " each" in question.clause
    prices = [number for number in numbers if _EACH.match(reply.lower, number.finish)]
    many = "total" in question.field or any(count > 1 for count in question.counts.values())
    parts += prices if many and not (shares or "_per_" in question.field) else ()
    terms = {number.value for number in parts}
    if not (shares or question.counts or _SINGLE.search(question.field)):
        terms |= {number.value for number in prices}
    return {number.start for number in parts}, terms


def _number_mentions(question: Question, reply: Reply, target: RequestedNumber) -> list[Mention]:
    numbers = reply.numbers
    part_starts, terms = _terms_in(question, reply, target)
    calculated = _calculated(numbers) if len(numbers) <= MAX_MENTIONS else {}
    mentions: list[Mention] = []
    arguments = {_number_key(number, target) for number in question.argument_numbers}
    arguments -= _numbers_in_request(question, target)
    named = frozenset[str]()
    if target.counted >= _SAME_COUNT[-1]:
        named = question.name_stems | question.argument_stems
    for number in numbers:
        shared = _shared(target, number, named)
        labelled = not number.unit and _is_labelled(reply.lower, number, target)
        shared = 1 if labelled and not shared else shared
        if shared is None or number.start in part_starts:
            continue
        if not shared and not _may_be_bare(reply.lower, number, target):
            continue
        first = max(0, number.start - 20)
        approximate = _APPROXIMATE.search(reply.lower, first, number.start) is not None
        fits = any(
            _rounds(value, decimals, target.value, approximate=approximate)
            for value, decimals in _values(number, target)
        )
        key = _number_key(number, target)
        if not fits and (number.value in terms or (key in arguments and not labelled)):
            continue
        mentions.append(
            Mention(
                number.start,
                number.finish,
                fits,
                key,
                kind=shared or int(target.unit == "cent" and number.decimals == _CENT_DECIMALS),
                nouns=() if number.unit else number.nouns,
                calculated=calculated.get(number.start, 0),
            )
        )
    return mentions


def _numbers_in_request(question: Question, target: RequestedNumber) -> set[str]:
    return {_number_key(number, target) for number in question.numbers}


def _number_key(number: Number, target: RequestedNumber) -> str:
    """Return a key that is equal for all spellings of a number; sums of money become cents."""
    cents = target.unit == "cent" and number.unit != "cent"
    value = number.value * _CENTS if cents else number.value
    return f"{value.normalize():f}"


def _shared(target: RequestedNumber, number: Number, named: frozenset[str]) -> int | None:
    """Count the words beside a number, such as its unit, that match the kind of the answer.

    Return 0 if no word shows the kind of the number, and None if the words show another kind. A
    noun in `named` also matches.
    """
    if not target.unit and not target.counted:
        return 0
    if not number.unit:
        nouns = [stem(noun) for noun in number.nouns]
        if nouns and nouns[0] in named:
            return 1
        if nouns and nouns[0] in target.others:
            return None
        return len(target.counted.intersection(nouns)) or (None if nouns else 0)
    if target.unit == "cent":
        fits = number.unit in {"crown", "cent"}
    elif target.unit:
        fits = number.unit == target.unit or number.unit in target.multiples
    else:
        fits = number.unit in target.units
    return 1 if fits else None


def _is_labelled(lower: str, number: Number, target: RequestedNumber) -> bool:
    """Whether all words of the field's name are before a number, as in `heart rate: 80 bpm`."""
    words = WORD.findall(lower, max(0, number.start - 40), number.start)
    if not lower.endswith(": ", 0, number.start):
        words = words[-len(target.counted) - 1 :]
    label = set(map(stem, words))
    return len(target.counted) > 1 and target.counted <= label


def _is_part(lower: str, number: Number, signs: frozenset[str]) -> bool:
    before = lower[max(0, number.start - 3) : number.start].rstrip(" (")
    after = lower[number.finish : number.finish + 30].lstrip(" )")
    operator = _OPERATOR.match(after)
    operand = (operator is not None and operator[0] not in _SIGNS - signs) or before[-1:] in signs
    return (
        operand
        or _DIFFERENCE.match(lower, number.finish) is not None
        or _OPERAND.search(lower, max(0, number.start - 20), number.start) is not None
    )


def _calculated(numbers: Sequence[Number]) -> dict[int, int]:
    """Return a mapping from the start of each number in a calculation to 1 (result) or -1 (term).

    A number is a result if two of the numbers shortly before it give it by addition, subtraction,
    multiplication or division, or if it is the sum of at least three numbers directly before it.
    """
    results: set[int] = set()
    operands: set[int] = set()
    for index, result in enumerate(numbers):
        step = Decimal(1).scaleb(-max(result.decimals, 1)) / 2
        for terms in _terms(numbers[max(0, index - _OPERANDS) : index]):
            values = [number.value for number in terms]
            if (
                result.value
                and result.value not in values
                and any(abs(value - result.value) < step for value in _results(values))
            ):
                results.add(result.start)
                operands |= {number.start for number in terms}
                break
    return dict.fromkeys(results, 1) | dict.fromkeys(operands, -1)


def _terms(numbers: Sequence[Number]) -> Iterator[Sequence[Number]]:
    """Yield the groups of numbers that may be the terms of a calculation.

    These are all pairs without 0 and 1, and each series of at least three numbers up to the last.
    """
    yield from combinations((number for number in numbers if number.value not in {0, 1}), 2)
    yield from (numbers[first:] for first in range(len(numbers) - 2))


def _results(values: Sequence[Decimal]) -> Sequence[Decimal]:
    if len(values) > 2:
        return (sum(values, Decimal()),)
    operators = (add, sub, mul, truediv)
    return [operator(*pair) for operator in operators for pair in permutations(values)]


def _may_be_bare(lower: str, number: Number, target: RequestedNumber) -> bool:
    """Whether a number without a unit may be the answer.

    A number after a word such as `platform` is part of a name, and no sum of money is spelled out
    without its unit.
    """
    if number.spelled and target.unit == "cent":
        return False
    if number.spelled and number.value == 0 and lower.startswith("no", number.start):
        return lower.startswith("none", number.start)
    before = _BEFORE.search(lower, max(0, number.start - 40), number.start)
    if before is None or lower[: number.start].endswith("_cents "):
        return True
    return _LABELLED.fullmatch(before[1]) is None or stem(before[1]) in target.counted


def _values(number: Number, target: RequestedNumber) -> Iterator[tuple[Decimal, int]]:
    """Yield each possible value of a number in the field's unit, with its number of decimals.

    If the field is in cents, a number without a unit may be in crowns or in cents.
    """
    factors = [target.multiples.get(number.unit, 1)]
    if target.unit == "cent" and number.unit != "cent":
        factors = [_CENTS] if number.unit else [_CENTS, 1]
    for factor in factors:
        yield number.value * factor, max(0, number.decimals - (2 if factor > 1 else 0))
        if number.other is not None:
            yield number.other * factor, 0 if number.decimals else _THOUSANDTHS


def _rounds(stated: Decimal, decimals: int, gold: Decimal, *, approximate: bool) -> bool:
    """Whether a stated number equals the value, or is an acceptable rounding of it.

    A value with fewer than three decimals may be rounded only if the reply says "about"
    (`approximate`). The rounded value must be within 0.5 % of the exact value, or within 2 % if the
    exact value has at least three decimals and the reply says "about".
    """
    if abs(stated - gold) < _SAME or max(abs(stated), abs(gold)) > _LARGEST:
        return abs(stated - gold) < _SAME
    step = Decimal(1).scaleb(-decimals)
    if approximate and not decimals and stated % 10 == 0:
        stated_digits = f"{abs(int(stated))}"
        step = Decimal(1).scaleb(len(stated_digits) - len(stated_digits.rstrip("0")))
    if gold.quantize(step, ROUND_HALF_UP) != stated.quantize(step, ROUND_HALF_UP) or stated % step:
        return False
    tail = -int(gold.as_tuple().exponent) >= _LONG_TAIL
    if not tail and not approximate:
        return False
    return abs(stated - gold) <= abs(gold) * (_ROUGH if tail and approximate else _CLOSE)
