"""The invented shortcuts that the imitation of iCloud shares, and the states of their links."""

import hashlib
from dataclasses import dataclass
from functools import cache

from demo.containers import binary, signed, xml
from demo.drafts import Draft, attachment, text, token, variable
from demo.replica.words import sentence, title

COUNT = 220
MISSING = frozenset({17, 118, 203})
DELETED = frozenset({33, 144})
PRIVATE = frozenset({77})
WRONG_SIZE = frozenset({58})
WRONG_MAGIC = frozenset({181})
NO_FILE = frozenset({90})


@dataclass(frozen=True)
class Shared:
    """A shortcut that is shared with an iCloud link.

    `data` is the file. `field` is the field of the iCloud record that contains the file, either
    `shortcut` or `signedShortcut`.
    """

    number: int
    icloud_id: str
    name: str
    data: bytes
    field: str

    @property
    def is_available(self) -> bool:
        """Whether the file of the shortcut can be downloaded and is not damaged."""
        out = (MISSING, DELETED, PRIVATE, WRONG_SIZE, WRONG_MAGIC, NO_FILE)
        return not any(self.number in group for group in out)


def icloud_id(number: int) -> str:
    """Return the invented iCloud id of a shortcut, which has 32 hexadecimal digits."""
    return hashlib.sha256(f"benchloom demo shortcut {number}".encode()).hexdigest()[:32]


@cache
def shared_shortcuts() -> tuple[Shared, ...]:
    """Return all shared shortcuts in the order of their numbers, which begin with 0."""
    return tuple(_shared(number) for number in range(COUNT))


def _shared(number: int) -> Shared:
    # Some links share their content, as if two people had followed the same recipe.
    content = number - 10 if number % 22 == 21 else number
    root = _draft(content).build()
    kind = number % 5
    if kind == 3:
        data, field = signed(binary(root), stored=number % 2 == 1), "signedShortcut"
    elif kind == 4:
        data, field = xml(root), "shortcut"
    else:
        data, field = binary(root), "shortcut"
    if number in WRONG_MAGIC:
        data = b"<!doctype html><p>not here"
    return Shared(number, icloud_id(number), title(number, "en"), data, field)


def _draft(number: int) -> Draft:
    """Return an invented shortcut of two to nine actions, which depend on its number."""
    draft = Draft(title(number, "en"), named=number % 2 == 0)
    start = draft.add("gettext", WFTextActionText=sentence(number, "en"))
    if number % 3 == 0:
        amount = draft.add("ask", WFAskActionPrompt="How many?", WFInputType="Number")
        draft.add("setvariable", WFVariableName="Amount", WFInput=attachment(amount))
    if number % 4 == 1:
        group = draft.new_id()
        draft.control("repeat.count", group, 0, WFRepeatCount=1 + number % 7)
        draft.add("delay", WFDelayTime=60 * (1 + number % 9))
        draft.add("notification", WFNotificationActionBody=text("Round ", variable("Repeat Index")))
        draft.control("repeat.count", group, 2)
    if number % 5 == 2:
        page = draft.add("url", WFURLActionURL=f"https://example.org/{number}")
        draft.add("openurl", WFInput=attachment(page))
    draft.add("showresult", Text=text("Today: ", start, " ", token("CurrentDate")))
    if number % 7 == 0:
        draft.add("setclipboard", WFInput=attachment(start))
    return draft
