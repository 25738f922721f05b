"""Check the questions, quotes and verdicts of the judge of faithfulness."""

import json
from pathlib import Path

import msgspec
import pytest

from benchloom.core.records import Rejected, Verdict, is_judgement
from benchloom.storage.tables import iter_records
from flows.run.runner import run_whole
from flows.stages.generate import supplied_texts
from flows.stages.generate.plan import GeneratePlan
from flows.stages.generate.run import run_template
from prompts.columns import QueryRow
from prompts.endpoint.usage import prompt_tokens
from prompts.errors import ReplyError
from prompts.steps import Case, Grade, Sampling
from prompts.steps.category import STEP as CATEGORY
from prompts.steps.faithfulness import (
    EXAMPLE,
    STEP,
    CallVerdict,
    FaithfulnessReply,
    Flaw,
    FormFlaw,
    PromptData,
    grade_of,
)
from prompts.talks import Asker
from tests.prompts.samples.category import SAMPLE as SHORTCUT
from tests.prompts.samples.faithfulness import SAMPLE
from tests.support.commands import benchloom
from tests.support.llm.server import LlmServer
from tests.support.llm.world import (
    endpoint_for,
    plan_for,
    run_step,
    shortcuts_folder,
    write_definitions,
    write_paths,
)

JUDGE_INPUT = SAMPLE.step_input
BOTH_CALLS = (
    CallVerdict(1, "Reserve a table", asked=True),
    CallVerdict(2, "get us a cab", asked=True),
)


def grade_reply(
    calls: tuple[CallVerdict, ...] = BOTH_CALLS,
    beyond: tuple[Flaw, ...] = (),
    misplaced: tuple[Flaw, ...] = (),
    too_early: tuple[Flaw, ...] = (),
    form: tuple[FormFlaw, ...] = (),
) -> Grade:
    return grade_of(FaithfulnessReply(calls, beyond, misplaced, too_early, form), JUDGE_INPUT)


def test_faithful_text_is_kept() -> None:
    assert grade_reply() == Grade(None, kept=True, reason="ok", evidence="2 calls asked for")


def test_example_in_the_prompt_is_accepted() -> None:
    grade_input, reply = EXAMPLE
    assert grade_of(reply, grade_input).reason == "asks_beyond"
    assert all(msgspec.structs.astuple(reply)), "the example must have every kind of flaw"


def test_shared_prompt_prefix_is_long_enough_for_caching() -> None:
    request = next(STEP.converse(JUDGE_INPUT, Asker(model="m")))
    constant = prompt_tokens(msgspec.structs.replace(request, messages=request.messages[:1]))
    assert 1_034 < constant < 1_216, "the prefix must be just long enough for caching"


def test_label_is_judged_with_its_category() -> None:
    row = QueryRow("q", "", CATEGORY.kind, "Tide watch: Tells when.", category="Health & Fitness")
    label = STEP.input_about(CATEGORY, SHORTCUT.step_input, row)
    assert (label.calls, label.style) == ((), "label")
    flaw = Flaw("Health & Fitness", "nothing is about health")
    reply = FaithfulnessReply((), (), (flaw,), (), ())
    assert grade_of(reply, label).reason == "misplaced_value"


def test_each_fault_has_a_reason_and_quotes_the_text() -> None:
    left_out = grade_reply((BOTH_CALLS[0], CallVerdict(2, "", asked=False)))
    assert (left_out.kept, left_out.reason) == (False, "call_left_out")
    assert "Orders a cab" in left_out.evidence
    flaw = (Flaw("at 7:30 pm", "the plan has\n 8:30"),)
    assert grade_reply(beyond=flaw).reason == "asks_beyond"
    assert grade_reply(misplaced=flaw).reason == "misplaced_value"
    assert grade_reply(too_early=flaw).reason == "known_later"
    assert grade_reply(too_early=flaw).evidence == '"at 7:30 pm": the plan has 8:30'
    assert not grade_reply(beyond=flaw).kept
    dumped = (FormFlaw("at 7:30 pm", "for what", "values_dumped"),)
    assert grade_reply(form=dumped).reason == "values_dumped"
    assert grade_reply(beyond=flaw, form=dumped).reason == "asks_beyond"


@pytest.mark.parametrize(
    "reply",
    [
        FaithfulnessReply(
            (BOTH_CALLS[0], CallVerdict(2, "order a limousine", asked=True)), (), (), (), ()
        ),
        FaithfulnessReply((BOTH_CALLS[0], CallVerdict(2, "", asked=True)), (), (), (), ()),
        FaithfulnessReply(
            (BOTH_CALLS[0], CallVerdict(2, "no such words", asked=False)), (), (), (), ()
        ),
        FaithfulnessReply(BOTH_CALLS, (Flaw("a singing waiter", "nobody sings"),), (), (), ()),
        FaithfulnessReply(BOTH_CALLS, (), (Flaw("", "wrong"),), (), ()),
        # A quote must consist of whole words, and "tab" occurs only within "table".
        FaithfulnessReply(BOTH_CALLS, (), (), (Flaw("Reserve a tab", "too early"),), ()),
        FaithfulnessReply(BOTH_CALLS, (), (), (), (FormFlaw("one, two", "", "step_list"),)),
    ],
)
def test_reply_with_an_invented_quote_is_refused(reply: FaithfulnessReply) -> None:
    with pytest.raises(ReplyError) as caught:
        grade_of(reply, JUDGE_INPUT)
    assert caught.value.reason == "invented_evidence"


@pytest.mark.parametrize(
    "calls", [(), BOTH_CALLS[:1], BOTH_CALLS[::-1], (*BOTH_CALLS, BOTH_CALLS[0])]
)
def test_calls_must_be_judged_once_and_in_order(calls: tuple[CallVerdict, ...]) -> None:
    with pytest.raises(ReplyError) as caught:
        grade_reply(calls)
    assert caught.value.reason == "wrong_calls"


def test_quote_precedes_the_decision_in_a_call_verdict() -> None:
    assert list(msgspec.structs.fields(CallVerdict))[1].name == "quote"
    assert [field.name for field in msgspec.structs.fields(CallVerdict)][-1] == "asked"


EVERY_TEXT = Sampling(every_text=True)


def write_sources(folder: Path) -> Path:
    """Write shortcuts, plans and the texts about them to a folder, and return the folder."""
    source = write_paths(write_definitions(shortcuts_folder(folder / "in", 3)))
    lines = [
        {"target_id": "path:1", "text": "Reserve a table in Nordhafen at 19:30 and a cab ride."},
        {"target_id": "path:2", "text": "Reserve the Blue Heron in Nordhafen for 19:30, please."},
    ]
    (folder / "texts.jsonl").write_text("\n".join(map(json.dumps, lines)))
    run_whole(
        supplied_texts.prepare(
            GeneratePlan(step="instruction", source=source), folder / "texts.jsonl"
        ),
        folder / "given",
    )
    (source / "queries.parquet").write_bytes((folder / "given" / "queries.parquet").read_bytes())
    return source


def judge_plan(source: Path) -> GeneratePlan:
    """Return a plan that judges every text, including texts that rules dropped."""
    return msgspec.structs.replace(plan_for(source, "faithfulness"), sampling=EVERY_TEXT)


def cases(source: Path) -> list[Case[PromptData] | Rejected]:
    return list(STEP.cases(source, EVERY_TEXT))


def test_judge_sees_the_facts_that_the_writer_saw(tmp_path: Path) -> None:
    first_case, second_case = cases(write_sources(tmp_path))
    assert isinstance(first_case, Case)
    assert isinstance(second_case, Case)
    assert [call.number for call in first_case.input.calls] == [1, 2]
    assert first_case.input.calls[0].call == "reserve restaurant (city Nordhafen, time 19:30)"
    assert "Nordhafen" in bytes(first_case.input.source).decode()
    assert "Blue Heron" in first_case.input.known_only_later
    assert first_case.input.text == "Reserve a table in Nordhafen at 19:30 and a cab ride."
    assert second_case.target_id != first_case.target_id


def test_judges_and_the_template_have_separate_verdicts(tmp_path: Path) -> None:
    source = write_sources(tmp_path)
    with LlmServer().running() as server:
        outcome = run_step(judge_plan(source), tmp_path / "one", endpoint_for(tmp_path, server.url))
        other = msgspec.structs.replace(judge_plan(source), model="test-model-2")
        run_step(other, tmp_path / "two", endpoint_for(tmp_path, server.url))
    assert outcome.dropped == {"known_later": 1}
    assert (outcome.objects, outcome.kept, outcome.judged) == (2, 1, 2)
    checks = set()
    for folder in ("one", "two"):
        verdicts = list(iter_records(tmp_path / folder, "verdicts", Verdict))
        assert [row.kept for row in verdicts] == [True, False]
        assert '"Blue Heron"' in verdicts[1].evidence
        checks |= {row.check for row in verdicts}
    assert checks == {"faithfulness:test-model", "faithfulness:test-model-2"}
    assert all(map(is_judgement, checks))

    unjudged = run_template(
        GeneratePlan(step="faithfulness", source=source, sampling=EVERY_TEXT), tmp_path / "none"
    )
    (verdict, _) = iter_records(tmp_path / "none", "verdicts", Verdict)
    assert (verdict.check, verdict.reason) == ("faithfulness", "not_judged")
    assert verdict.kept, "an unjudged text must not be dropped"
    assert (unjudged.kept, unjudged.judged) == (2, 0)


def test_texts_dropped_by_rules_are_not_judged(tmp_path: Path) -> None:
    source = write_sources(tmp_path)
    with LlmServer().running() as server:
        outcome = run_step(
            plan_for(source, "faithfulness"), tmp_path / "out", endpoint_for(tmp_path, server.url)
        )
    assert server.billing.billed == 1
    assert (outcome.objects, outcome.kept, outcome.judged) == (2, 1, 1)
    assert outcome.passed_over == {"dropped_by_rules": 1}


def test_judge_that_invents_quotes_gives_no_verdict(tmp_path: Path) -> None:
    source = write_sources(tmp_path)
    reply = FaithfulnessReply((CallVerdict(1, "a table on the moon", asked=True),), (), (), (), ())
    with LlmServer(fixed=msgspec.json.encode(reply).decode()).running() as server:
        outcome = run_step(judge_plan(source), tmp_path / "out", endpoint_for(tmp_path, server.url))
    assert outcome.rejected == {"invented_evidence": 1, "wrong_calls": 1}
    assert outcome.judged == 0


def test_texts_without_a_source_are_rejected(tmp_path: Path) -> None:
    source = write_sources(tmp_path)
    (source / "planning_paths.parquet").unlink()
    case_rows = cases(source)
    assert {row.reason for row in case_rows if isinstance(row, Rejected)} == {"no_source"}
    assert len(case_rows) == 2


def test_sources_are_part_of_the_plan_key(tmp_path: Path) -> None:
    source = write_sources(tmp_path)
    plan = plan_for(source, "faithfulness")
    before = plan.decides()
    (source / "planning_paths.parquet").unlink()
    assert plan.decides() != before


def test_command_reports_that_no_text_was_judged(tmp_path: Path) -> None:
    write_sources(tmp_path)
    argv = ["judge", "instruction", "--in", tmp_path / "in", "--texts", tmp_path / "texts.jsonl"]
    result = benchloom(*argv, "--out", tmp_path / "told")
    assert result.returncode == 0, result.stderr
    assert "not judged, only checked by rules" in result.stdout


def test_texts_are_judged_with_sources_in_another_folder(tmp_path: Path) -> None:
    """The folders of --in and --beside are read together."""
    together = write_sources(tmp_path / "a")
    apart = tmp_path / "b"
    sources = write_paths(write_definitions(shortcuts_folder(apart / "in", 3)))
    (apart / "given").mkdir()
    texts = apart / "given" / "queries.parquet"
    texts.write_bytes((together / "queries.parquet").read_bytes())
    with LlmServer().running() as server:
        argv = ["generate", "faithfulness", "--in", sources, "--beside", apart / "given"]
        argv += ["--model", "test-model", "--base-url", server.url, "--workspace", tmp_path / "w"]
        argv += ["--every-text"]
        argv += ["--out", tmp_path / "out"]
        keys = []
        for _ in range(2):
            result = benchloom(*argv, "--out", tmp_path / "out")
            assert result.returncode == 0, result.stderr
            assert "2 rows -> 1 kept, 1 dropped" in result.stdout
            assert "judged: 2 by a judge of faithfulness" in result.stdout
            keys.append((tmp_path / "out" / "stage.json").read_bytes())
        assert server.billing.billed == 2
    assert keys[0] == keys[1]
    verdicts = list(iter_records(tmp_path / "out", "verdicts", Verdict))
    assert [row.reason for row in verdicts] == ["ok", "known_later"]
