"""Check that styles are drawn by id and seed, shown to the writer and stored with texts."""

from collections import Counter
from pathlib import Path

from flows.stages.generate.plan import GeneratePlan
from flows.stages.generate.run import run_template
from prompts.exchange import Request
from prompts.steps import Sampling
from prompts.steps.query import QueryStep
from prompts.styles import STYLES, style_of, style_rule
from prompts.talks import Asker
from prompts.talks.driver import Talk
from tests.support.llm.world import rows_of, shortcuts_folder

IDS = [f"shortcut:sha256:{number:064x}" for number in range(2_000)]


def test_same_id_and_seed_draw_the_same_style() -> None:
    drawn = [style_of(target_id, 7).name for target_id in IDS]
    assert drawn == [style_of(target_id, 7).name for target_id in IDS]
    assert drawn != [style_of(target_id, 8).name for target_id in IDS]


def test_styles_are_drawn_about_equally_often() -> None:
    counts = Counter(style_of(target_id, 0).name for target_id in IDS)
    assert set(counts) == {"terse", "polite", "indirect", "with_reason", "spoken"}
    assert min(counts.values()) > 320
    assert max(counts.values()) < 480


def test_id_with_a_lone_surrogate_has_a_style() -> None:
    assert style_of("\ud800", 0) in STYLES


def test_style_rule_is_only_in_the_system_message(tmp_path: Path) -> None:
    folder = shortcuts_folder(tmp_path / "in", 12)
    style_rules = set()
    for case in QueryStep().cases(folder, Sampling(seed=3)):
        request = Talk(QueryStep().converse(case.input, Asker(model="m"))).requested  # type: ignore[union-attr]  # all are eligible
        assert isinstance(request, Request)
        rules = [style_rule(style) for style in STYLES]
        prompt_rules = [rule for rule in rules if rule in request.messages[0].content]
        assert prompt_rules == [style_rule(style_of(case.target_id, 3))]  # type: ignore[union-attr]  # as above
        assert not any(rule in request.messages[1].content for rule in rules)
        style_rules.update(prompt_rules)
    assert len(style_rules) > 1


def test_style_is_stored_with_each_text(tmp_path: Path) -> None:
    folder = shortcuts_folder(tmp_path / "in", 8)
    run_template(GeneratePlan(step="query", source=folder), tmp_path / "out")
    texts, _, _ = rows_of(tmp_path / "out")
    assert [text.style for text in texts] == [style_of(text.target_id, 0).name for text in texts]
