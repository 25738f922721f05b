"""Tests of ShortcutsBench's gold: which actions are samples, their levels and essential values."""

from pathlib import Path

import msgspec
import pytest

from benchloom.core.errors import RunError
from benchloom.core.records import Query, Shortcut
from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmarks.shortcuts import BENCHMARK
from benchloom.evaluate.benchmarks.shortcuts.positions import Position, position_of
from benchloom.evaluate.scoring import evaluate
from benchloom.exchange.examples import Ref, RuntimeValue
from benchloom.exchange.examples.shortcuts.calls import example_of_shortcut
from tests.benchloom.evaluate.shortcuts.drafts import PREFIX, needed_input, output, written_action
from tests.support.formats import export
from tests.support.samples.plan_release import plan_release, plans, text_of
from tests.support.samples.shortcuts import action, argument, shortcut

ACTIONS = (
    action(0, "getwifi", uuid="W", output_name="Net"),
    action(1, "comment", argument("WFCommentActionText", "the network")),
    action(2, "showresult", argument("Text", output("W", "Net"))),
    action(3, "gettext", argument("WFTextActionText", "plums")),
    action(4, "ask", argument("WFAskActionPrompt", "Who?")),
    action(
        5,
        "sendmessage",
        argument("To", needed_input("Ask")),
        argument("Body", "Hens"),
        argument("N", 1),
    ),
)


def evaluation_row(**changes: object) -> Shortcut:
    base_shortcut = shortcut(*ACTIONS, length=5)
    return msgspec.structs.replace(
        base_shortcut, level=2, evaluation=True, icloud_ids=("1f",), **changes
    )


def query_of(target: str, name: str = "q", **changes: object) -> Query:
    text = text_of(next(plans(1)), target_id=target, query_id=name, kind="query", text="Tell them.")
    return msgspec.structs.replace(text, **changes)


def read_positions(gold: Path) -> list[Position]:
    return [position_of(sample) for sample in BENCHMARK.read_gold(gold)]


def statements_json(*entries: tuple[int, str, str]) -> str:
    statements = [{"action_index": at, "parameter": name, "say": say} for at, name, say in entries]
    return msgspec.json.encode(statements).decode()


def test_release_gives_the_actions_of_the_published_run(tmp_path: Path) -> None:
    shortcut_row = evaluation_row()
    structured = statements_json((5, "Body", "say"), (5, "N", "never"))
    query = query_of(shortcut_row.shortcut_id, structured=structured, generator="llm")
    release = plan_release(tmp_path, [], [query], shortcuts=[shortcut_row])
    positions = read_positions(release)
    assert [position.sample_id for position in positions] == ["q/0", "q/2", "q/5"]
    assert {position.level for position in positions} == {"(1,5]"}
    assert {position.example.request for position in positions} == {"Tell them."}
    assert positions[1].example.calls[2].arguments[0].value == Ref(0, "Net")
    assert positions[2].example.calls[5].arguments[0].value == RuntimeValue("input", "Ask")
    assert [position.essential for position in positions] == [frozenset(), frozenset(), {"Body"}]


def test_judged_parameters_override_generated_ones(tmp_path: Path) -> None:
    shortcut_row = evaluation_row()
    entry = {"action_index": 5, "api": "x", "parameter": "N", "relation": "implied"}
    judged_parameters = msgspec.json.encode([entry]).decode()
    queries = [
        query_of(shortcut_row.shortcut_id, structured=statements_json((5, "Body", "say"))),
        query_of(shortcut_row.shortcut_id, "p", kind="parameters", structured=judged_parameters),
    ]
    release = plan_release(tmp_path, [], queries, shortcuts=[shortcut_row])
    assert read_positions(release)[-1].essential == frozenset({"N"})


def test_without_marks_essential_values_are_unknown(tmp_path: Path) -> None:
    shortcut_row = evaluation_row()
    for number, structured in enumerate((None, '{"to": 1}')):
        release = plan_release(
            tmp_path / str(number),
            [],
            [query_of(shortcut_row.shortcut_id, structured=structured)],
            shortcuts=[shortcut_row],
        )
        assert read_positions(release)[-1].essential is None


def test_rows_outside_evaluation_give_no_samples(tmp_path: Path) -> None:
    rows = [
        evaluation_row(),
        msgspec.structs.replace(evaluation_row(), shortcut_id="other", evaluation=False),
    ]
    release = plan_release(tmp_path, [], [], shortcuts=rows)
    assert [position.example.request for position in read_positions(release)] == [None] * 3


def test_shortcutsbench_export_is_read_with_its_requests(tmp_path: Path) -> None:
    example = example_of_shortcut(evaluation_row(), {})
    export(
        "shortcutsbench",
        tmp_path,
        *(
            msgspec.structs.replace(example, example_id=name, request=f"Do {name}.")
            for name in "ab"
        ),
    )
    positions = read_positions(tmp_path)
    assert [position.sample_id for position in positions] == [
        f"{n}/{p}" for n in "ab" for p in (0, 2, 5)
    ]
    assert {position.example.request for position in positions} == {"Do a.", "Do b."}
    assert {position.level for position in positions} == {"(1,5]"}
    assert positions[0].uuids == ("W", "", "", "", "", "")


def record(*api_names: str, **more: Plain) -> dict[str, Plain]:
    actions: list[Plain] = [dict(written_action(name)) for name in api_names]
    return {"shortcut": {"WFWorkflowActions": actions}, **more}


def test_json_list_of_records_is_scored(tmp_path: Path) -> None:
    gold, predictions = tmp_path / "gold.json", tmp_path / "mine.jsonl"
    records = [
        record("getwifi", "vibrate", CategoryInStore="Fun", query="Buzz."),
        record("runworkflow", "vibrate"),
        record("comment"),
        record(*["vibrate"] * 31),
        record("vibrate"),
    ]
    gold.write_bytes(msgspec.json.encode(records))
    outputs: list[Plain] = [written_action("getwifi"), "vibrate?", written_action("vibrate")]
    predictions.write_bytes(
        b"\n".join(msgspec.json.encode({"output": prediction}) for prediction in outputs)
    )
    summary = evaluate("shortcuts", BENCHMARK, gold, predictions, "right", by_order=True)
    assert summary.metrics["api_selection"] == pytest.approx(2 / 3)
    assert summary.levels["(0,1]"]["api_selection"] == 1
    assert summary.categories == {"Fun": {"api_selection": 0.5, "exact_action": 0.5}}
    assert summary.outcomes == {"right": 2, "unparseable": 1}


@pytest.mark.parametrize(
    "content", ["[1]", '{"shortcut": {}}', '{"shortcut": {"WFWorkflowActions": [3]}}']
)
def test_only_damaged_records_raise(tmp_path: Path, content: str) -> None:
    (tmp_path / "gold.json").write_text(content)
    with pytest.raises(RunError, match="record 1"):
        read_positions(tmp_path)


def test_folder_without_records_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    with pytest.raises(RunError, match="nor a JSON file"):
        read_positions(tmp_path)


def test_level_counts_the_longest_branch_of_a_block(tmp_path: Path) -> None:
    def control(mode: Plain) -> Plain:
        return dict(written_action("conditional", GroupingIdentifier="G", WFControlFlowMode=mode))

    steps = [dict(written_action("vibrate"))] * 3
    actions: list[Plain] = [control("0"), *steps, control(1), *steps, control(2), *steps]
    (tmp_path / "gold.json").write_bytes(
        msgspec.json.encode({"shortcut": {"WFWorkflowActions": actions}})
    )
    positions = read_positions(tmp_path)
    assert {position.level for position in positions} == {"(5,15]"}
    assert [call.depth for call in positions[0].example.calls] == [
        0,
        1,
        1,
        1,
        0,
        1,
        1,
        1,
        0,
        0,
        0,
        0,
    ]
    assert positions[0].example.calls[1].api == f"{PREFIX}vibrate"
