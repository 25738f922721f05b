"""Convert shortcuts to the input of steps, with cleaned texts and the values to be stated."""

import re
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from benchloom.core.built_in_actions import (
    BRANCHING,
    COMMENT,
    SYSTEM_PREFIX,
    VARIABLE_SETTERS,
)
from prompts.data_block import clean_text, whole_sentences
from prompts.inputs.plain_workflow import plain_lines
from prompts.language.actions import PHRASES, PLUMBING, action_words
from prompts.language.value_texts.decisions import Decision, decide_all, must_say
from prompts.language.value_texts.labels import ApiFacts
from prompts.language.value_texts.literals import ActionRow, unwrapped
from prompts.styles import PLAIN, Style
from prompts.subject import Value

MAX_COMMENT = 400
MAX_COMMENTS = 8
_BOILERPLATE = re.compile(
    r"©|\(c\) ?\d{4}|copyright|licen[cs]|all rights reserved|permission is hereby|warrant|spdx|"
    r"redistribut|without limitation|^(created|made|written|built|shortcut)? ?by:? |^author|"
    r"\bversion\b ?:? *[\x22\u201c]?\d|^version *:|^v?\d+(\.\d+)+$|change ?log|"
    r"last (updated|modified|edited)|https?://|"
    r"do not (edit|remove|delete|modify|change|touch)|update check|check(s|ing)? for updates|"
    r"donat|paypal|patreon|buy me|follow me|routinehub|launchcutstags|"
    r"版权|作者|来源|更新时间|发布时间|更新检测|请勿",
    re.IGNORECASE,
)
_TAGS = re.compile(r"launchcuts", re.IGNORECASE)
"""Matches tags in comments that the app LaunchCuts writes."""
_LEADING = re.compile(r"[:\uff1a]$")
_WORDS = re.compile(r"[^\W\d_]")


def author_comments(texts: list[str]) -> tuple[str, ...]:
    """Return the author's comments, each on one line, cleaned, shortened and without boilerplate.

    Licences, authors, versions, addresses and notes about updates say nothing about the purpose of
    a shortcut. Equal comments are returned once.
    """
    comments: dict[str, None] = {}
    for text in texts:
        lines = [line.strip() for line in clean_text(text, 20 * MAX_COMMENT).split("\n")]
        if _TAGS.match(lines[0]):
            continue
        pairs = zip(lines, (*lines[1:], ""), strict=True)
        kept_lines = [line for line, after in pairs if _is_comment(line, after)]
        comment = clean_text(" ".join(kept_lines), MAX_COMMENT)
        if comment:
            comments.setdefault(comment)
        if len(comments) == MAX_COMMENTS:
            break
    return tuple(comments)


def _is_comment(line: str, after: str) -> bool:
    """Whether to keep a line of a comment; a line that introduces a dropped line is dropped."""
    leads_on = _LEADING.search(line) is not None and (not after or not is_informative(after))
    return is_informative(line) and not leads_on


def is_informative(line: str) -> bool:
    """Whether a line has words and is not boilerplate such as a licence or a version number."""
    return len(_WORDS.findall(line)) > 1 and not _BOILERPLATE.search(line)


TABLE = "shortcuts"
MAX_LENGTH = 30
MAX_NAME = 120
MAX_DESCRIPTION = 1_500
MAX_WORKFLOW = 6_000
MAX_APIS = 12
MAX_API_TEXT = 160
_SHORTEST_NAME = 4
_DIGEST = re.compile(r"(?=[a-f]*\d)[0-9a-f]{12,}")


class ApiText(msgspec.Struct, frozen=True, gc=False):
    """The title and description of an API that a shortcut calls."""

    title: str
    description: str


class Deed(msgspec.Struct, frozen=True, gc=False):
    """One action with an effect: its API's name without the system's prefix, and its line in words.

    `branch` names the menus and conditions around the action, from the outermost inwards: for each,
    the index of the action that opens it, and the number of the branch ("3.1/7.0"). It is empty
    outside of menus and conditions.
    """

    action_index: int
    api: str
    line: str
    branch: str = ""


class ShortcutInput(msgspec.Struct, frozen=True):
    """One shortcut as the input of a step; every text is cleaned and shortened.

    `workflow` is the text of the actions with plain names and without comments. `apis` are the APIs
    whose effect a person would ask for. `decisions` say for each literal value whether a request
    has to state it, and `required` are the values that it has to state. `deeds` are the shortcut's
    actions in order, without comments and the ends of blocks. `technical` are names of actions,
    variables and parameters, and `descriptions` are the descriptions in definitions. `style` is the
    style of a request about the shortcut.
    """

    name: str
    description: str
    comments: tuple[str, ...]
    workflow: str
    apis: tuple[ApiText, ...]
    required: tuple[Value, ...]
    decisions: tuple[Decision, ...] = ()
    deeds: tuple[Deed, ...] = ()
    style: Style = PLAIN
    technical: tuple[str, ...] = ()
    descriptions: tuple[str, ...] = ()

    @property
    def sources(self) -> tuple[str, ...]:
        """Return the texts that a generated text may take facts from."""
        return (self.name, self.description, *self.comments, self.workflow)


class ShortcutRow(msgspec.Struct, frozen=True):
    """One shortcut, with the columns of `shortcuts` from which the input of steps is built."""

    shortcut_id: str
    source_uri: str
    name: str | None
    description: str | None
    actions: tuple[ActionRow, ...]
    length: int
    workflow: str


def shortcut_input(row: ShortcutRow, definitions: Mapping[str, ApiFacts]) -> ShortcutInput:
    """Return the input of a step for a shortcut; `definitions` are keyed by API."""
    decisions = decide_all(row.actions, row.workflow, definitions)
    lines = plain_lines(row.actions, row.workflow, decisions, definitions)
    called = dict.fromkeys(action.identifier for action in row.actions if not action.control)
    return ShortcutInput(
        name=_readable_name(row.name or ""),
        description=clean_text(row.description or "", MAX_DESCRIPTION),
        comments=author_comments(_comments(row)),
        workflow=clean_text("\n".join(line for _, line in lines), MAX_WORKFLOW),
        apis=_apis(tuple(called), definitions),
        required=must_say(decisions),
        decisions=decisions,
        deeds=tuple(_deeds(lines)),
        technical=_technical(row, definitions),
        descriptions=tuple(definitions[api].description for api in called if api in definitions),
    )


def _deeds(lines: Iterable[tuple[ActionRow, str]]) -> Iterator[Deed]:
    """Yield the actions with an effect, each with the menus and conditions around it."""
    around: list[tuple[int, int, bool]] = []
    for action, line in lines:
        if action.control in {"branch", "close"}:
            if around:
                opener, part, branches = around.pop()
                if action.control == "branch":
                    around.append((opener, part + 1, branches))
            continue
        branch = "/".join(f"{opener}.{part}" for opener, part, branches in around if branches)
        api = action.identifier.removeprefix(SYSTEM_PREFIX)
        yield Deed(action.index, api, line.strip(), branch)
        if action.control == "open":
            around.append((action.index, 0, action.identifier in BRANCHING))


def _readable_name(name: str) -> str:
    """Return the cleaned name, or an empty text if the name is generated, such as a digest."""
    clean_name = clean_text(name, MAX_NAME)
    return "" if _DIGEST.search(clean_name) else clean_name


def _comments(row: ShortcutRow) -> list[str]:
    """Return the texts of comment actions; variables are shown as in the workflow's text."""
    lines = row.workflow.split("\n")
    comments: list[str] = []
    for index, action in enumerate(row.actions):
        if action.identifier != COMMENT:
            continue
        comment = lines[index].strip().removeprefix("# ") if index < len(lines) else ""
        for argument in action.arguments:
            if argument.name == "WFCommentActionText" and argument.kind == "literal":
                text = unwrapped(msgspec.json.decode(argument.value))
                comment = text if isinstance(text, str) else comment
        comments.append(comment)
    return comments


def _apis(called: tuple[str, ...], definitions: Mapping[str, ApiFacts]) -> tuple[ApiText, ...]:
    """Return the title and description of each API whose effect a person would ask for.

    An API without a description in its definition gets our own description.
    """
    api_texts: list[ApiText] = []
    for api in called:
        if api in PLUMBING:
            continue
        facts = definitions.get(api)
        title = (facts.title if facts is not None else "") or action_words(api)
        about = facts.description if facts is not None else ""
        own = PHRASES.get(api.removeprefix(SYSTEM_PREFIX), "")
        about = whole_sentences(about, MAX_API_TEXT) or own
        api_texts.append(ApiText(clean_text(title, MAX_NAME), about))
    return tuple(api_texts[:MAX_APIS])


def _technical(row: ShortcutRow, definitions: Mapping[str, ApiFacts]) -> tuple[str, ...]:
    """Return identifiers and names that reveal how the shortcut is built."""
    names: dict[str, None] = {}
    for action in row.actions:
        if action.identifier == COMMENT:
            continue
        facts = definitions.get(action.identifier)
        names.setdefault(action.identifier)
        names.setdefault(action.identifier.removeprefix(SYSTEM_PREFIX))
        if facts is not None and " " in facts.title:
            names.setdefault(facts.title)
        for argument in action.arguments:
            names.setdefault(argument.name)
            if argument.name == "WFVariableName" and action.identifier in VARIABLE_SETTERS:
                value = unwrapped(msgspec.json.decode(argument.value))
                if isinstance(value, str):
                    names.setdefault(clean_text(value, MAX_NAME).strip())
    return tuple(name for name in names if _is_technical(name))


def _is_technical(name: str) -> bool:
    """Whether a name would be unusual in a sentence: several words, symbols, inner capitals."""
    inner = name[1:]
    is_unusual = any(not char.isalpha() for char in name) or inner != inner.lower()
    return len(name) >= _SHORTEST_NAME and is_unusual
