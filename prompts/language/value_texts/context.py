"""Find values that no user would state, although their parameter is one that users care about.

What a device shows or speaks, the choices and buttons that it offers, and the answer that it
proposes are what the person hears, not what the person asks for. A placeholder is a text that the
author wrote for people who copy the shortcut. An unused value is one that an editor keeps and no
run reads.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from benchloom.core.built_in_actions import COMMENT, MENU, REPEAT_COUNT, built_in
from prompts.language.value_texts.labels import is_name
from prompts.language.value_texts.literals import ActionRow, Literal
from prompts.language.value_texts.parameters import CONTENT, QUESTION
from prompts.language.words import read_number, word_set

_TEXT, _NUMBER, _LIST, _ADJUST = (
    next(iter(built_in(name))) for name in ("gettext", "number", "list", "adjustdate")
)
_ASKING = built_in("ask", "choosefromlist") | {MENU}
_CHOOSING = built_in("choosefromlist")
_ANSWERING = built_in("ask", "choosefromlist", "getvalueforkey", "downloadurl") | {MENU}
"""Actions whose output somebody picked, typed or fetched."""
MOST_TURNS = 12
"""Maximum repetitions of a loop that people would state; a larger number means "many times"."""
_OUTPUT_ACTIONS = re.compile(
    r"\.(alert|notification|showresult|speaktext)$|alert\w*intent$|notif|quicklook|toast|banner",
    re.IGNORECASE,
)
"""Matches actions that show or speak their text."""
_MENU_ENTRY = re.compile(r"menu", re.IGNORECASE)
_BUTTON = re.compile(
    r"(yes|no|ok|okay|cancel|true|false|on|off|none|null|nil|done|continue|y|n)[.!]?",
    re.IGNORECASE,
)
_MAKER_WORDS = word_set(
    "a action alert api body code content demo example foo bar baz hello hi id input item key "
    "lorem ipsum menu message my name new notification number one option other output passcode "
    "passphrase password placeholder prompt result sample screen secret string test testing "
    "text the three time title todo token two untitled url user username value variable world"
)
_PLACEHOLDER = re.compile(
    r"[x.]{3,}|.*(\.\.\.|\N{HORIZONTAL ELLIPSIS})|[\[(<].*[\])>]|lorem ipsum.*|"
    r"(please )?(paste|enter|insert|replace|type|fill)\b.*\b(here|below|your|yours|this)\b.*|"
    r"(please )?(put|add|write|change)\b.*\b(here|below)\W*|"
    r"(\w+ )?your[ _-](\w+[ _-])?(account|address|api|domain|e-?mail|id|key|name|number|password|"
    r"phone|server|token|url|user|username|webhook)( here)?\W*",
    re.IGNORECASE,
)
_TRIAL = re.compile(r"test(ing)? .*|(asdf|qwert|abc)\w*|[a-z]+\d+", re.IGNORECASE)
"""Matches texts that authors write into a text action while they try something."""
_WORD = re.compile(r"[^\W\d_]+")
_JOINED = re.compile(r"([A-Z][a-z]+){2,}")
"""Matches a name as programs write it, such as `NoChanges`."""
_PROGRAM_NAME = re.compile(r"[a-z]+[A-Z]")
_ANSWER_IS = re.compile(
    r"(selection|selected|chosen|choice|menu|if result|menu result|dictionary value|answer|"
    r"provided input|ask for input|contents of|response|status|result)\b",
    re.IGNORECASE,
)
"""Matches conditions on a picked, typed or fetched value. The text that they compare with was
chosen by the author."""
_ALL_PHOTOS = frozenset(
    {"Recents", "Camera Roll", "All Photos", "Zuletzt", "Récents", "Recientes", "Recenti",
     "Недавние", "最近项目"}
)  # fmt: skip
"""The name of the album with all photos, which is the default, in several languages."""
_NAME_IS = "Name "
"""Conditions that begin with this word compare the name of a thing that the user has, such as a
focus."""
_MARKUP = re.compile(r"#+ |[-*>] ")
_OUTPUT = re.compile(r" -> +(?P<name>.+)$")
_OF_STEP = re.compile(r" \(of step \d+\)$")
_SHIFT_PARAMETERS = frozenset({"WFDuration", "WFAdjustOffsetPicker"})
_FREE_TEXTS = frozenset({"text", "number"})


class ShortcutContext:
    """All actions of a shortcut, as evidence about one of its literal values."""

    def __init__(
        self, actions: Sequence[ActionRow], workflow: str, literals: Sequence[Literal]
    ) -> None:
        lines = workflow.split("\n")
        self._actions = actions
        self._lines = [lines[at] if at < len(lines) else "" for at in range(len(actions))]
        self._names = {
            action.index: {argument.name: argument.value for argument in action.arguments}
            for action in actions
        }
        self._readers: dict[int, tuple[ActionRow, ...]] = {}
        compared: defaultdict[str, set[str]] = defaultdict(set)
        for literal in literals:
            if literal.role == "condition" and not literal.number and not literal.switch:
                compared[literal.clause].add(literal.value.casefold())
        self._answers = tuple(
            f"{_OF_STEP.sub('', output['name'])} "
            for action, line in zip(actions, self._lines, strict=True)
            if action.identifier in _ANSWERING and (output := _OUTPUT.search(line))
        )
        self._compared = Counter({clause: len(texts) for clause, texts in compared.items()})

    def reason(self, literal: Literal, reason: str) -> str | None:
        """Return why a request need not state a literal value, or None if it must.

        `reason` says why a request would otherwise have to state the value.
        """
        if literal.api in _ASKING or QUESTION.search(literal.name):
            return "question"
        if literal.api == _ADJUST and self._is_ignored(literal):
            return "left_over"
        if not literal.number and _BUTTON.fullmatch(literal.value.strip()):
            return "button"
        if not literal.number and reason in {"text", "condition"} and is_placeholder(literal.value):
            return "placeholder"
        if literal.value.strip() in _ALL_PHOTOS and "SelectedGroup" in literal.name:
            return "default"
        if reason == "condition":
            return self._compares(literal)
        if literal.number and self._is_open_ended(literal):
            return "open_ended"
        return self._of_text(literal) if reason in _FREE_TEXTS else None

    def _of_text(self, literal: Literal) -> str | None:
        """Return why a free text is not in the user's own words, or None if it may be."""
        if literal.api == _LIST and literal.number:
            return "unknown_number"
        if literal.api == _LIST and any(
            reader.identifier in _CHOOSING for reader in self._read_by(literal.action_index)
        ):
            return "choice"
        if CONTENT.search(literal.name):
            if _OUTPUT_ACTIONS.search(literal.api):
                return "device_words"
            if _MENU_ENTRY.search(literal.api.rpartition(".")[2]):
                return "choice"
        if literal.api != _TEXT:
            return None
        readers = self._read_by(literal.action_index)
        if readers and all(_OUTPUT_ACTIONS.search(reader.identifier) for reader in readers):
            return "device_words"
        if readers and all(reader.identifier in _ASKING for reader in readers):
            return "question"
        if literal.number:
            return "unknown_number"
        text = literal.value.strip()
        if _TRIAL.fullmatch(text):
            return "placeholder"
        return None if is_name(text) and not _MARKUP.match(text) else "unknown_meaning"

    def _compares(self, literal: Literal) -> str | None:
        """Return why a condition's operand only distinguishes cases of a program, or None."""
        if _PROGRAM_NAME.match(literal.clause):
            return "unknown_meaning"
        if literal.number:
            return None
        if _ANSWER_IS.match(literal.clause) or literal.clause.startswith(self._answers):
            return "choice"
        if self._compared[literal.clause] > 1 and not literal.clause.startswith(_NAME_IS):
            return "one_of_several"
        return "unknown_meaning" if _JOINED.fullmatch(literal.value.strip()) else None

    def _is_open_ended(self, literal: Literal) -> bool:
        """Whether a number is only the upper limit of a loop that asks the user in every iteration.

        For example, "repeat 1000 times: ask for the next expense" lets the user stop at any time.
        """
        number = read_number(literal.value)
        if number is None or number <= MOST_TURNS:
            return False
        loops = [literal.action_index] if literal.api == REPEAT_COUNT else []
        if literal.api == _NUMBER:
            readers = self._read_by(literal.action_index)
            loops = [reader.index for reader in readers if reader.identifier == REPEAT_COUNT]
        return any(map(self._asks_in_loop, loops))

    def _asks_in_loop(self, start: int) -> bool:
        depth = 0
        for action in self._actions[start:]:
            depth += (action.control == "open") - (action.control == "close")
            if action.identifier in _ASKING:
                return True
            if depth == 0:
                return False
        return False

    def _is_ignored(self, literal: Literal) -> bool:
        """Whether the app ignores a date offset: with "Get Start of" or a newer parameter."""
        names = self._names.get(literal.action_index, {})
        if literal.role != "quantity" and literal.name not in _SHIFT_PARAMETERS:
            return False
        is_older = literal.name == "WFAdjustOffsetPicker" and "WFDuration" in names
        return is_older or names.get("WFAdjustOperation", "").startswith('"Get Start')

    def _read_by(self, index: int) -> tuple[ActionRow, ...]:
        """Return the actions that use the output of the action `index`.

        If the output has no name, only the next action can use it.
        """
        if index not in self._readers:
            self._readers[index] = tuple(self._reading(index))
        return self._readers[index]

    def _reading(self, index: int) -> Iterator[ActionRow]:
        output = _OUTPUT.search(self._lines[index]) if index < len(self._lines) else None
        if output is not None:
            named = f": {output['name'].strip()}"
            marks = (f"{named}]", f"{named}.", f"{named} (")
            for action, line in zip(self._actions, self._lines, strict=True):
                if action.index != index and any(mark in line for mark in marks):
                    yield action
            return
        after = (action for action in self._actions[index + 1 :] if action.identifier != COMMENT)
        following = next(after, None)
        if following is not None and not any(map(CONTENT.search, self._names[following.index])):
            yield following


def is_placeholder(text: str) -> bool:
    """Whether a text only stands for a real text that a user must fill in."""
    stripped_text = " ".join(text.split())
    words = _WORD.findall(stripped_text.lower().replace("_", " "))
    only_makers = bool(words) and all(word in _MAKER_WORDS for word in words)
    return only_makers or _PLACEHOLDER.fullmatch(stripped_text) is not None
