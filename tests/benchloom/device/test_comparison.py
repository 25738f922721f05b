"""Two shortcuts by effect: pairs that were labelled by hand, and what a difference reads like."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchloom.device.comparison import compare
from tests.support.small_shortcuts import small_shortcut

PAIRS = Path(__file__).resolve().parents[2] / "data" / "device" / "pairs.txt"
LEAST_RIGHT = 0.97
SEEN = 20


def _pairs() -> Iterator[tuple[int, str, str, str, str]]:
    """Yield number and lines of each shortcut, an edit, the edited lines, and the label."""
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
                    "\n".join(_edited(source, edit[2])),
                    edit[1],
                )


def _renamed(line: str, name: str, new_name: str) -> str:
    """Rename a variable or output where it is set and where it is read, and no other word."""
    return re.sub(rf"(\$\{{?|^set |^append |^(?={name} = )){name}\b", rf"\g<1>{new_name}", line)


def _edited(lines: list[str], edit: str) -> list[str]:
    kind, first, *rest = edit.split(" ", 2)
    if kind == "rename":
        return [_renamed(line, first, rest[0]) for line in lines]
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
def test_labelled_pairs() -> None:
    """Nearly all of 200 hand-labelled pairs are judged right, and nearly all unseen ones."""
    wrong: list[tuple[int, str, str]] = []
    pairs = list(_pairs())
    for number, source, edit, edited, label in pairs:
        comparison = compare(small_shortcut(source), small_shortcut(edited))
        if comparison.verdict != label:
            wrong.append((number, edit, comparison.sentence))
    unseen = [pair for pair in pairs if pair[0] >= SEEN]
    unseen_wrong = [fault for fault in wrong if fault[0] >= SEEN]
    assert 1 - len(wrong) / len(pairs) >= LEAST_RIGHT, wrong
    assert 1 - len(unseen_wrong) / len(unseen) >= LEAST_RIGHT, unseen_wrong


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
def test_verdict_and_sentence(first: str, second: str, verdict: str, sentence: str) -> None:
    comparison = compare(small_shortcut(first), small_shortcut(second))
    assert comparison.verdict == verdict
    assert re.search(sentence, comparison.sentence)
