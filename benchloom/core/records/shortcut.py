"""Records of shared shortcuts: their actions, arguments, references and needs for input.

The length of a shortcut is that of ShortcutsBench: only the longest branch of a condition or a menu
counts, and control actions, comments and alerts do not.
"""

from bisect import bisect_left
from collections.abc import Sequence

import msgspec

from benchloom.core.built_in_actions import BRANCHING, UNCOUNTED_OR_NONE

FILE_NAME = "file"
"""The `name_source` of a shortcut without a name, which gets the name of its file."""


class Reference(msgspec.Struct, frozen=True, gc=False):
    """A reference, in an argument or in a range of its text, to an earlier output or a variable.

    `kind` is output, variable or implicit (the output of the previous action, used without its
    name). `action_index` is the producing action, None if no action of the shortcut produces the
    value; the action that opens a loop produces the variables of the loop. `output` is the name of
    the output or variable as in the file. For implicit references it is Repeat Item at the start of
    a loop, ExtensionInput for the input of the shortcut itself, else None. `path` is the part of
    the output that is used (aggrandizements, in order). `location` is the path inside the argument
    as slash-separated keys. `offset` and `length` are UTF-16 units for a range inside a text.
    """

    kind: str
    action_index: int | None
    output: str | None
    path: str
    location: str
    offset: int | None = None
    length: int | None = None


class Argument(msgspec.Struct, frozen=True, gc=False):
    """An argument that an action of a shortcut supplies.

    `kind` is literal, reference, variable, input, text or structure. `value` is the JSON of the
    canonical value. `inputs` lists the needs for input (Ask, Clipboard, ...) inside it, in order of
    appearance, repeats included.
    """

    name: str
    kind: str
    value: str
    references: tuple[Reference, ...] = ()
    inputs: tuple[str, ...] = ()


class Action(msgspec.Struct, frozen=True, gc=False):
    """An action of a shortcut, which is one call of an API.

    `depth` counts the control blocks around the action. `block` numbers the innermost control block
    that the action opens, divides, closes or is in. `branch` counts the dividers of that block so
    far: 0 before the first divider, so the branches of If start at 0 and the cases of a menu at 1.
    `control` is open, branch or close for an action that delimits a block, else None.

    `definition_id` is filled by the join with the definitions; None if there is no definition.
    `implicit_input` is the input that the action takes because no argument supplies it; its
    `location` is the parameter that was left out. `group` and `mode` are the GroupingIdentifier and
    the WFControlFlowMode as the file has them. If `group`, `mode`, the UUID or the custom name of
    the output has an unexpected type, it is kept among the arguments.
    """

    index: int
    identifier: str
    app: str
    depth: int
    block: int | None
    branch: int | None
    control: str | None
    uuid: str | None
    output_name: str | None
    arguments: tuple[Argument, ...]
    definition_id: str | None = None
    implicit_input: Reference | None = None
    group: str | None = None
    mode: int | None = None


class ImportQuestion(msgspec.Struct, frozen=True, gc=False):
    """A question that the app asks when a shortcut is installed.

    The default answer is left out, because it may be private. The answer becomes the `parameter` of
    the action `action_index`.
    """

    action_index: int | None
    parameter: str
    question: str


class NeedsInput(msgspec.Struct, frozen=True, gc=False):
    """The things that a shortcut needs from a person, the device or another app.

    Each field is one kind of evidence. `kinds` are the kinds of requested input, such as Ask or
    Clipboard. `prompting_actions` are the actions that ask a person or read the device's state.
    `no_input_behavior` is what the shortcut does without input, in the app's words.
    `import_questions` are asked when it is installed.
    """

    kinds: tuple[str, ...]
    prompting_actions: tuple[str, ...]
    no_input_behavior: str | None
    import_questions: tuple[ImportQuestion, ...]


class Redaction(msgspec.Struct, frozen=True, gc=False):
    """How many values of a kind, such as e-mail addresses, were replaced by a placeholder."""

    kind: str
    count: int


class TextLanguage(msgspec.Struct, frozen=True, gc=False):
    """The language of a text of a shortcut: an ISO 639-1 code, or `und` if it is unclear.

    `field` says which text this is.
    """

    field: str
    language: str


class Icon(msgspec.Struct, frozen=True, gc=False):
    """The icon of a shortcut. Its colour and glyph are numbers, or None if the file has no icon."""

    color: int | None
    glyph: int | None


class Shortcut(msgspec.Struct, frozen=True, gc=False):
    """A row of the table `shortcuts`: one shared shortcut.

    `shortcut_id` is a digest of its actions in which generated ids do not matter (alpha
    equivalence); all shortcuts without actions share one id, and are never merged. `length`,
    `level` (1-5, None for length 0) and `unique_api_count` follow ShortcutsBench's definitions.
    `workflow` is the description that a query writer reads. `name_source` says where the name is
    from: shortcut (stored inside), icloud, listing or file (the name of the file, if no other
    source has a name).

    `input_classes` are the kinds of content it takes, and `surfaces` are the places in the system
    that offer it, in the app's words. The fields between `workflow` and `input_classes` are filled
    by normalise: `split` is None before, and `evaluation_reasons` say why a row is not in the
    evaluation subset.
    """

    shortcut_id: str
    canonical_digest: str
    source_digest: str
    source_uri: str
    container: str
    icloud_ids: tuple[str, ...]
    name: str | None
    name_source: str | None
    description: str | None
    client_version: str | None
    actions: tuple[Action, ...]
    length: int
    level: int | None
    unique_api_count: int
    action_count: int
    needs_input: NeedsInput
    oddities: tuple[str, ...]
    workflow: str
    redactions: tuple[Redaction, ...] = ()
    near_duplicate_cluster: str | None = None
    languages: tuple[TextLanguage, ...] = ()
    split: str | None = None
    evaluation: bool = False
    evaluation_reasons: tuple[str, ...] = ()
    input_classes: tuple[str, ...] = ()
    surfaces: tuple[str, ...] = ()
    icon: Icon | None = None


_LEVEL_BOUNDS = (1, 5, 15, 30)


def level_of(length: int) -> int | None:
    """Return ShortcutsBench's level (1 to 5) of a shortcut of this length, None for length 0."""
    return bisect_left(_LEVEL_BOUNDS, length) + 1 if length > 0 else None


class Measures(msgspec.Struct, frozen=True):
    """Counts of a shortcut: its length, its number of distinct APIs, and its number of actions."""

    length: int
    unique_api_count: int
    action_count: int


class _Block:
    __slots__ = ("branches", "branching", "number")

    def __init__(self, number: int | None, *, branching: bool) -> None:
        self.number = number
        self.branching = branching
        self.branches = [0]

    def length(self) -> int:
        return max(self.branches) if self.branching else sum(self.branches)


def measure(actions: Sequence[Action]) -> Measures:
    """Compute the length of a shortcut, its number of distinct APIs, and its number of actions."""
    stack = [_Block(None, branching=False)]
    for action in actions:
        if action.control == "open":
            stack.append(_Block(action.block, branching=action.identifier in BRANCHING))
        elif action.control is not None:
            _close_until(stack, action.block)
            if action.control == "branch":
                stack[-1].branches.append(0)
            elif len(stack) > 1:
                _close(stack)
        elif action.identifier not in UNCOUNTED_OR_NONE:
            stack[-1].branches[-1] += 1
    _close_until(stack, None)
    counted = {action.identifier for action in actions} - UNCOUNTED_OR_NONE
    return Measures(stack[0].length(), len(counted), len(actions))


def _close_until(stack: list[_Block], number: int | None) -> None:
    while len(stack) > 1 and stack[-1].number != number:
        _close(stack)


def _close(stack: list[_Block]) -> None:
    length = stack.pop().length()
    stack[-1].branches[-1] += length
