"""Detect whether the user's turns state a value, literally or as people write numbers and days.

The detection is strict: it knows few ways to state a value, and every match occurs in the text.
The maker of a candidate can supply another wording in `PlannedCall.said`.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from decimal import Decimal

from benchloom.worlds.proving.leaves import Scalar
from benchloom.worlds.proving.moments import Wording, is_time, says_moment

_NUMBER = re.compile(r"(?<![\w.])-?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,15})(?:\.[0-9]{1,9})?(?!\w)")
_WORDS_TEXT = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty"
)
_WORDS = _WORDS_TEXT.split()
_CENTS = 100


class Turns:
    """The user's turns, searched for values; `now` is the world's clock, an ISO 8601 time."""

    def __init__(self, turns: Sequence[str], now: str) -> None:
        self.now = now
        self._exact = turns
        self._plain = [_plain(turn) for turn in turns]
        self._numbers = [dict(_numbers(turn)) for turn in self._plain]

    def holds(self, words: str) -> int | None:
        """Return the number of the first turn that contains the words as whole words."""
        phrase = _plain(words)
        for number, turn in enumerate(self._plain):
            if phrase and _stands(turn, phrase):
                return number
        return None

    def says(self, value: Scalar, name: str) -> Wording | None:
        """Return the turn that states a value, and its words; `name` is the argument's name.

        Sums in cents (`..._cents`) are expected as 27.50. A day is expected with its month, or
        relative to the clock: tomorrow, on Friday. Booleans are never recognised.
        """
        if isinstance(value, bool):
            return None
        if isinstance(value, str):
            mention = self._says_text(value)
            strange = mention is not None and name.endswith("_id") and not self._spells(value)
            return None if strange else mention
        target_amounts = {Decimal(str(value))}
        if name.endswith("_cents"):
            target_amounts.add(Decimal(str(value)) / _CENTS)
        for number, amounts in enumerate(self._numbers):
            for amount in sorted(target_amounts & amounts.keys()):
                return "turn", number, amounts[amount]
        return None

    def _spells(self, entity_id: str) -> bool:
        """Whether a turn contains an id in exact case: the folder Archive is not `archive`."""
        return any(_stands(turn, entity_id) for turn in self._exact)

    def _says_text(self, value: str) -> Wording | None:
        for words in () if is_time(value) else (value, value.replace("_", " ")):
            number = self.holds(words)
            if number is not None:
                return "turn", number, words
        return says_moment(value, self._plain, self.now)


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def _stands(turn: str, phrase: str) -> bool:
    """Whether a turn contains a phrase as whole words, not as part of longer words."""
    position = turn.find(phrase)
    while position >= 0:
        end = position + len(phrase)
        before, after = turn[position - 1 : position], turn[end : end + 1]
        loose = not (phrase[0].isalnum() and before.isalnum())
        if loose and not (phrase[-1].isalnum() and after.isalnum()):
            return True
        position = turn.find(phrase, position + 1)
    return False


def _numbers(turn: str) -> Iterator[tuple[Decimal, str]]:
    for match in _NUMBER.finditer(turn):
        yield Decimal(match[0].replace(",", "")), match[0]
    for number, word in enumerate(_WORDS):
        if _stands(turn, word):
            yield Decimal(number), word
