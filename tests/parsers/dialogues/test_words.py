"""What users said, read from files of every quality."""

import json

from parsers.dialogues.conversion.words import LONGEST_UTTERANCE, MOST_UTTERANCES, said_in


def dialogue(name: str, *turns: tuple[str, object]) -> dict[str, object]:
    return {
        "dialogue_id": name,
        "turns": [
            {"speaker": speaker, "frames": [{"service": 7}], "utterance": said}
            for speaker, said in turns
        ],
    }


def test_the_words_of_the_user_with_their_turns() -> None:
    first_dialogue = dialogue(
        "1", ("USER", "A lamp, please."), ("SYSTEM", "Which?"), ("USER", "Red — ☎")
    )
    (said,) = said_in(json.dumps([first_dialogue]).encode(), "flow")
    assert [(entry.turn, entry.text) for entry in said.utterances] == [
        (0, "A lamp, please."),
        (2, "Red — ☎"),
    ]
    assert (said.dialogue_id, said.is_whole) == ("1", True)


def test_a_turn_that_says_nothing_readable_costs_only_itself() -> None:
    first_dialogue = dialogue("1", ("USER", 7), ("USER", "Hello."), ("USER", None), ("USER", "  "))
    (said,) = said_in(json.dumps([first_dialogue]).encode(), "flow")
    assert [entry.text for entry in said.utterances] == ["Hello."]
    assert not said.is_whole
    (half,) = said_in(json.dumps([dialogue("2", ("USER", "x \ud800 y"))]).encode(), "flow")
    assert (half.utterances, half.is_whole) == ((), False)


def test_a_turn_without_words_leaves_the_dialogue_whole() -> None:
    data = b'[{"dialogue_id": "1", "turns": [{"speaker": "USER", "frames": []}]}]'
    (said,) = said_in(data, "flow")
    assert (said.utterances, said.is_whole) == ((), True)


def test_a_huge_dialogue_is_bounded() -> None:
    turns = [("USER", f"turn {number}") for number in range(MOST_UTTERANCES + 3)]
    long = dialogue("2", ("USER", "x" * (LONGEST_UTTERANCE + 1)))
    many, cut = said_in(json.dumps([dialogue("1", *turns), long]).encode(), "flow")
    assert (len(many.utterances), many.is_whole) == (MOST_UTTERANCES, False)
    assert (len(cut.utterances[0].text), cut.is_whole) == (LONGEST_UTTERANCE, False)


def test_damage_keeps_the_order_of_the_dialogues() -> None:
    whole = json.dumps([dialogue("1", ("USER", "One.")), dialogue("2", ("USER", "Two."))])
    broken = whole.replace('"turns"', '"turns": [}, "turns"', 1).encode()
    first, second, *_ = said_in(broken, "flow")
    assert (first.dialogue_id, first.utterances, first.is_whole) == ("1", (), False)
    assert [entry.text for entry in second.utterances] == ["Two."]
    assert list(said_in(b'"no dialogues"', "flow")) == []
