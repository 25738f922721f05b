"""Tests of writing API-Bank's files: dialogues are read back, and losses are reported."""

import json
import time
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchloom.exchange.examples import Argument, Call, Example, Ref, Result, Turn
from benchloom.exchange.formats.api_bank.library import values_of
from tests.benchloom.exchange.examples.sample import FIND
from tests.benchloom.exchange.examples.sample import example as plan_example
from tests.benchloom.exchange.examples.strategies import NAMES, PLAIN, examples, results
from tests.benchloom.exchange.formats.api_bank.sample import (
    DIALOGUE,
    LIBRARY,
    PLAN,
    read,
    read_folder,
)
from tests.benchloom.worlds.suites.api_bank.sample import lines, recorded_call
from tests.support.formats import export

PLAIN_CALLS = st.builds(
    lambda api, arguments, result: Call(
        "",
        api,
        tuple(Argument(name, value) for name, value in sorted(arguments.items())),
        outcome="failed" if result is not None and result.exception is not None else "ok",
        result=result,
    ),
    NAMES.filter(lambda name: name != "ToolSearcher"),
    st.dictionaries(NAMES, PLAIN, max_size=3),
    st.none() | results().filter(lambda result: result != Result(None)),
)
SPOKEN_TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1)


@st.composite
def talks(draw: st.DrawFn) -> Example:
    """Generate a dialogue without losses: it begins with the user and ends with an answer."""
    calls = tuple(draw(st.lists(PLAIN_CALLS, min_size=1, max_size=3)))
    middle = draw(
        st.lists(
            st.builds(
                Turn,
                st.sampled_from(["user", "assistant"]),
                SPOKEN_TEXTS,
                st.integers(0, len(calls)),
            ),
            max_size=3,
        )
    )
    turns = (
        Turn("user", draw(SPOKEN_TEXTS), 0),
        *sorted(middle, key=lambda turn: turn.before),
        Turn("assistant", draw(SPOKEN_TEXTS), len(calls)),
    )
    last = len(calls) - 1
    request_lines = [turn.text for turn in turns if turn.role == "user" and turn.before <= last]
    return Example(
        example_id="",
        target_id="",
        source="api-bank",
        source_id="a-1",
        source_uri="",
        split="level-2",
        request="\n".join(request_lines),
        calls=calls,
        turns=turns,
    )


def content(example: Example) -> tuple[object, ...]:
    calls = [msgspec.structs.replace(call, definition_id="", returns=()) for call in example.calls]
    return example.request, calls, example.turns, example.source_id, example.split


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.parametrize("name", ["api-bank", "api-bank-train"])
@given(talks())
def test_generated_dialogue_reads_back_equal(
    tmp_path_factory: pytest.TempPathFactory, name: str, talk: Example
) -> None:
    folder = tmp_path_factory.mktemp("talks") / "out"
    assert export(name, folder, talk) == [()]
    (reread_example,), _, rejected = read_folder(folder)
    assert rejected == []
    assert content(reread_example) == content(talk)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.parametrize("name", ["api-bank", "api-bank-train"])
@given(st.lists(examples(), max_size=2))
def test_second_export_loses_nothing_more(
    tmp_path_factory: pytest.TempPathFactory, name: str, source_examples: list[Example]
) -> None:
    """Check that a second export loses nothing more than the first."""
    folder = tmp_path_factory.mktemp("any")
    export(name, folder / "first", *source_examples)
    first_copies, _, rejected = read_folder(folder / "first")
    assert rejected == []
    export(name, folder / "second", *first_copies)
    second_copies, _, second_rejected = read_folder(folder / "second")
    assert second_rejected == []
    assert comparable(second_copies) == comparable(first_copies)


def test_system_message_does_not_change_the_file_shape(tmp_path: Path) -> None:
    example_with_system_turn = msgspec.structs.replace(
        plan_example(),
        calls=(Call("", "a", (), result=Result(None)),),
        turns=(Turn("system", "Be brief", 0),),
        request="Go",
    )
    export("api-bank", tmp_path / "first", example_with_system_turn)
    first_copies, _, _ = read_folder(tmp_path / "first")
    export("api-bank", tmp_path / "second", *first_copies)
    second_copies, _, _ = read_folder(tmp_path / "second")
    assert [example.request for example in first_copies] == ["Go"]
    assert comparable(first_copies) == comparable(second_copies)


def test_line_with_a_brace_stays_part_of_the_utterance(tmp_path: Path) -> None:
    text = 'Run this\n{"a": 1}\n{'
    example = msgspec.structs.replace(plan_example(), turns=(), request=text)
    export("api-bank-train", tmp_path / "out", example)
    (reread_example,), _, rejected = read_folder(tmp_path / "out")
    assert rejected == []
    assert reread_example.turns[0] == Turn("user", text, 0)


def comparable(source_examples: list[Example]) -> list[str]:
    """Return sorted contents of the examples without ids; empty examples are left out."""
    return sorted(
        repr(content(example)[:3]) for example in source_examples if example.calls or example.turns
    )


@pytest.mark.parametrize("name", ["api-bank", "api-bank-train"])
def test_whole_set_reads_back_equal(tmp_path: Path, name: str) -> None:
    source_examples, _, _ = read(
        **{
            "level-1/a.jsonl": lines(*DIALOGUE),
            "level-3.json": json.dumps([PLAN]).encode(),
            "all_apis.csv": LIBRARY.encode(),
        }
    )
    export(name, tmp_path / "out", *source_examples)
    reread_examples, _, rejected = read_folder(tmp_path / "out")
    assert rejected == []
    lost_turns = 1 if name == "api-bank-train" else 0
    expected = {example.source_id.replace("/", "-"): example for example in source_examples}
    for example in reread_examples:
        origin = expected[example.source_id.replace("/", "-")]
        assert content(example)[1] == content(origin)[1]
        assert example.turns in {origin.turns, origin.turns[: len(origin.turns) - lost_turns]}
        assert example.request == origin.request


def test_losses_are_reported(tmp_path: Path) -> None:
    lossy_example = msgspec.structs.replace(
        plan_example(),
        answer={"name": Ref(0, "name")},
        oddities=("odd",),
        source_id="a/b",
        split="no split",
        turns=(Turn("system", "Be brief", 0), Turn("user", "Go", 0), Turn("user", "On", 9)),
        calls=(
            Call("App", "a.b", (Argument("x", 1), Argument("x", Ref(0)))),
            Call("", "f", (Argument("y", Ref(0, "name")),), outcome="retried"),
        ),
    )
    (losses,) = export("api-bank", tmp_path / "out", lossy_example)
    assert {loss.kind for loss in losses} == {
        "answer", "oddity", "source_id", "split", "system_turn", "turn_place", "name", "outcome",
        "repeated_argument", "untold_value", "untold_failure", "definition", "offered_tools",
    }  # fmt: skip


def test_reference_is_written_as_its_recorded_value(tmp_path: Path) -> None:
    calls = (
        Call("", "Find", (), result=Result({"name": "Inn", "rooms": [1]})),
        Call("", "Book", (Argument("name", Ref(0, "name")), Argument("all", Ref(0)))),
    )
    talk = msgspec.structs.replace(plan_example(), calls=calls, definitions=())
    (losses,) = export("api-bank", tmp_path / "out", talk)
    assert {loss.kind for loss in losses} == {"reference", "no_request"}
    written = json.loads((tmp_path / "out" / "test.jsonl").read_bytes())
    assert written["apis"][1]["input"] == {"name": "Inn", "all": {"name": "Inn", "rooms": [1]}}


def test_training_rows_refuse_api_names_with_spaces(tmp_path: Path) -> None:
    example_with_spaced_name = msgspec.structs.replace(
        plan_example(), calls=(Call("", "Find a table", ()),)
    )
    (losses,) = export("api-bank-train", tmp_path / "out", example_with_spaced_name)
    assert [loss.kind for loss in losses if loss.whole] == ["call_name"]
    assert list((tmp_path / "out").iterdir()) == []


def test_dialogues_of_equal_id_are_separate_files(tmp_path: Path) -> None:
    (talk,), _, _ = read(**{"level-1/a.jsonl": lines(*DIALOGUE)})
    first, second = export("api-bank", tmp_path / "out", talk, talk)
    assert ([loss.kind for loss in first], [loss.kind for loss in second]) == ([], ["source_id"])
    reread_examples, _, _ = read_folder(tmp_path / "out")
    assert [example.calls for example in reread_examples] == [talk.calls, talk.calls]


def test_api_table_is_written_as_parsable_source(tmp_path: Path) -> None:
    export("api-bank", tmp_path / "out", plan_example())
    text = (tmp_path / "out" / "all_apis.csv").read_text()
    assert "Bistros.Find" in text
    values = values_of("description = 'x'\ninput_parameters = {'a': {'type': 'str'}}\n")
    assert values == {"description": "x", "input_parameters": {"a": {"type": "str"}}}
    _, definitions, _ = read_folder(tmp_path / "out")
    assert {(definition.app, definition.api) for definition in definitions} == {
        ("Bistros", "Find"),
        ("Bistros", "Book"),
    }
    assert FIND.description in {definition.description for definition in definitions}


def test_dialogue_time_grows_less_than_quadratically(tmp_path: Path) -> None:
    def seconds(size: int) -> float:
        turns = [{"role": "User", "text": f"say {number}"} for number in range(size)]
        search = recorded_call(
            "ToolSearcher",
            {"keywords": "x"},
            [{"name": f"T{number}", "input_parameters": {}} for number in range(size)],
        )
        calls = [recorded_call(f"T{number}", {}, None, "no") for number in range(size)]
        data = lines(*turns, search, *calls)
        started = time.process_time()
        (talk,), _, _ = read(**{"level-1/a.jsonl": data})
        assert export("api-bank", tmp_path / str(size), talk) == [()]
        return time.process_time() - started

    short, long = seconds(400), seconds(3200)
    assert long < 30 * short + 0.2, "eight times the dialogue may not take sixty-four times as long"
