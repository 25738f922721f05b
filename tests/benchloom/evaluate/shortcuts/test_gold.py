"""Gold of a release and of JSON files: which actions, of which level, with what marked."""

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
from tests.benchloom.evaluate.shortcuts.drafts import PREFIX, acted, needed, output
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
        5, "sendmessage", argument("To", needed("Ask")), argument("Body", "Hens"), argument("N", 1)
    ),
)


def row(**changes: object) -> Shortcut:
    base_shortcut = shortcut(*ACTIONS, length=5)
    return msgspec.structs.replace(
        base_shortcut, level=2, evaluation=True, icloud_ids=("1f",), **changes
    )


def asked(target: str, name: str = "q", **changes: object) -> Query:
    text = text_of(next(plans(1)), target_id=target, query_id=name, kind="query", text="Tell them.")
    return msgspec.structs.replace(text, **changes)


def read(gold: Path) -> list[Position]:
    return [position_of(sample) for sample in BENCHMARK.read_gold(gold)]


def said(*entries: tuple[int, str, str]) -> str:
    statements = [{"action_index": at, "parameter": name, "say": say} for at, name, say in entries]
    return msgspec.json.encode(statements).decode()


def test_a_release_gives_the_actions_that_the_published_run_asks_for(tmp_path: Path) -> None:
    shortcut_row = row()
    structured = said((5, "Body", "say"), (5, "N", "never"))
    query = asked(shortcut_row.shortcut_id, structured=structured, generator="llm")
    release = plan_release(tmp_path, [], [query], shortcuts=[shortcut_row])
    positions = read(release)
    assert [position.sample_id for position in positions] == ["q/0", "q/2", "q/5"]
    assert {position.level for position in positions} == {"(1,5]"}
    assert {position.example.request for position in positions} == {"Tell them."}
    assert positions[1].example.calls[2].arguments[0].value == Ref(0, "Net")
    assert positions[2].example.calls[5].arguments[0].value == RuntimeValue("input", "Ask")
    assert [position.essential for position in positions] == [frozenset(), frozenset(), {"Body"}]


def test_what_a_judge_said_about_the_request_goes_before(tmp_path: Path) -> None:
    shortcut_row = row()
    entry = {"action_index": 5, "api": "x", "parameter": "N", "relation": "implied"}
    judged = msgspec.json.encode([entry]).decode()
    queries = [
        asked(shortcut_row.shortcut_id, structured=said((5, "Body", "say"))),
        asked(shortcut_row.shortcut_id, "p", kind="parameters", structured=judged),
    ]
    release = plan_release(tmp_path, [], queries, shortcuts=[shortcut_row])
    assert read(release)[-1].essential == frozenset({"N"})


def test_without_marks_every_value_counts(tmp_path: Path) -> None:
    shortcut_row = row()
    for number, structured in enumerate((None, '{"to": 1}')):
        release = plan_release(
            tmp_path / str(number),
            [],
            [asked(shortcut_row.shortcut_id, structured=structured)],
            shortcuts=[shortcut_row],
        )
        assert read(release)[-1].essential is None


def test_rows_that_are_not_evaluated_give_none(tmp_path: Path) -> None:
    rows = [row(), msgspec.structs.replace(row(), shortcut_id="other", evaluation=False)]
    release = plan_release(tmp_path, [], [], shortcuts=rows)
    assert [position.example.request for position in read(release)] == [None] * 3


def test_our_own_export_is_read_with_its_requests(tmp_path: Path) -> None:
    example = example_of_shortcut(row(), {})
    export(
        "shortcutsbench",
        tmp_path,
        *(
            msgspec.structs.replace(example, example_id=name, request=f"Do {name}.")
            for name in "ab"
        ),
    )
    positions = read(tmp_path)
    assert [position.sample_id for position in positions] == [
        f"{n}/{p}" for n in "ab" for p in (0, 2, 5)
    ]
    assert {position.example.request for position in positions} == {"Do a.", "Do b."}
    assert {position.level for position in positions} == {"(1,5]"}
    assert positions[0].uuids == ("W", "", "", "", "", "")


def record(*names: str, **more: Plain) -> dict[str, Plain]:
    actions: list[Plain] = [dict(acted(name)) for name in names]
    return {"shortcut": {"WFWorkflowActions": actions}, **more}


def test_a_list_of_records_is_read_and_scored(tmp_path: Path) -> None:
    gold, mine = tmp_path / "gold.json", tmp_path / "mine.jsonl"
    records = [
        record("getwifi", "vibrate", CategoryInStore="Fun", query="Buzz."),
        record("runworkflow", "vibrate"),
        record("comment"),
        record(*["vibrate"] * 31),
        record("vibrate"),
    ]
    gold.write_bytes(msgspec.json.encode(records))
    outputs: list[Plain] = [acted("getwifi"), "vibrate?", acted("vibrate")]
    mine.write_bytes(
        b"\n".join(msgspec.json.encode({"output": prediction}) for prediction in outputs)
    )
    summary = evaluate("shortcuts", BENCHMARK, gold, mine, "right", by_order=True)
    assert summary.metrics["api_selection"] == pytest.approx(2 / 3)
    assert summary.levels["(0,1]"]["api_selection"] == 1
    assert summary.categories == {"Fun": {"api_selection": 0.5, "exact_action": 0.5}}
    assert summary.outcomes == {"right": 2, "unparseable": 1}


@pytest.mark.parametrize(
    "content", ["[1]", '{"shortcut": {}}', '{"shortcut": {"WFWorkflowActions": [3]}}']
)
def test_damaged_records_end_the_run(tmp_path: Path, content: str) -> None:
    (tmp_path / "gold.json").write_text(content)
    with pytest.raises(RunError, match="record 1"):
        read(tmp_path)


def test_a_folder_without_records_is_no_gold(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    with pytest.raises(RunError, match="nor a JSON file"):
        read(tmp_path)


def test_blocks_count_by_their_longest_branch(tmp_path: Path) -> None:
    def control(mode: Plain) -> Plain:
        return dict(acted("conditional", GroupingIdentifier="G", WFControlFlowMode=mode))

    steps = [dict(acted("vibrate"))] * 3
    actions: list[Plain] = [control("0"), *steps, control(1), *steps, control(2), *steps]
    (tmp_path / "gold.json").write_bytes(
        msgspec.json.encode({"shortcut": {"WFWorkflowActions": actions}})
    )
    positions = read(tmp_path)
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
