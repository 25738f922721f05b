"""Check that comparing two shortcuts by effect gives the hand-labelled verdict and a reason."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchloom.device.comparison import compare
from tests.support.small_shortcuts import small_shortcut

PAIRS = Path(__file__).resolve().parents[2] / "data" / "device" / "pairs.txt"
MIN_RIGHT = 0.97
SEEN_SHORTCUTS = 20


def _pairs() -> Iterator[tuple[int, str, str, str, str]]:
    """Yield the number and text of each shortcut, an edit, the edited text, and the label."""
    sections = PAIRS.read_text(encoding="utf-8").split("\n## ")[1:]
    for number, section in enumerate(sections):
        _, *lines = section.strip().splitlines()
        labelled = [re.fullmatch(r"(equal|different): (.*)", line) for line in lines]
        source = [line for line, edit in zip(lines, labelled, strict=True) if edit is None]
        for edit in labelled:
            if edit is not None:
                yield (
                    number,
                    "\n".join(source),
                    edit[2],
                    "\n".join(_edit_lines(source, edit[2])),
                    edit[1],
                )


def _rename_variable(line: str, name: str, new_name: str) -> str:
    """Return a line with a variable or output renamed where it is set or read."""
    return re.sub(rf"(\$\{{?|^set |^append |^(?={name} = )){name}\b", rf"\g<1>{new_name}", line)


def _edit_lines(lines: list[str], edit: str) -> list[str]:
    """Return the lines of a shortcut after an edit such as `swap 1 2`."""
    kind, first, *rest = edit.split(" ", 2)
    if kind == "rename":
        return [_rename_variable(line, first, rest[0]) for line in lines]
    changed, position = [*lines], int(first) - 1
    match kind:
        case "comment":
            changed.insert(position, f"comment {rest[0]}")
        case "drop":
            del changed[position]
        case "swap":
            other = int(rest[0]) - 1
            changed[position], changed[other] = changed[other], changed[position]
        case "change":
            before, after = rest[0].strip("/").split("/")
            assert before in lines[position], edit
            changed[position] = lines[position].replace(before, after)
    return changed


@pytest.mark.long
def test_labelled_pairs_get_the_right_verdict() -> None:
    """At least 97% of all pairs get the right verdict, and so do 97% of the unseen pairs."""
    wrong: list[tuple[int, str, str]] = []
    pairs = list(_pairs())
    for number, source, edit, edited, label in pairs:
        comparison = compare(small_shortcut(source), small_shortcut(edited))
        if comparison.verdict != label:
            wrong.append((number, edit, comparison.sentence))
    unseen = [pair for pair in pairs if pair[0] >= SEEN_SHORTCUTS]
    unseen_wrong = [fault for fault in wrong if fault[0] >= SEEN_SHORTCUTS]
    assert 1 - len(wrong) / len(pairs) >= MIN_RIGHT, wrong
    assert 1 - len(unseen_wrong) / len(unseen) >= MIN_RIGHT, unseen_wrong


@pytest.mark.parametrize(
    ("first", "second", "verdict", "sentence"),
    [
        (
            "show a",
            "show b",
            "different",
            r"effects 'shown' \[.*a.*\], and the second has \[.*b.*\]",
        ),
        ("text a", "text b", "different", r'The first returns \["a"\], and the second returns'),
        ("copy a", "nothing", "different", "the final clipboard is"),
        ("ask Text A?", "ask Text B?", "different", "the first asks"),
        ("show a", "show a\ncomment b", "equal", "Both did the same from 64 initial states"),
        ("show a", "if $now any\nshow a\nend", "equal", "Both did the same"),
        ("show a", "missing", "unknown", "The shortcuts cannot be compared: .*"),
    ],
)
def test_comparison_has_a_verdict_and_an_explanation(
    first: str, second: str, verdict: str, sentence: str
) -> None:
    comparison = compare(small_shortcut(first), small_shortcut(second))
    assert comparison.verdict == verdict
    assert re.search(sentence, comparison.sentence)
