"""Tests of the closing lines of a rebuild: they check counts, reasons, remedies and cost."""

import re
from pathlib import Path

import msgspec
import pandas as pd
import pytest

from benchloom.release import read_manifest
from benchloom.storage.tables import read_rows, table_parts
from flows.cli import build_app
from flows.configuration.keys import all_keys
from flows.console.explanations import explained_reasons, explanation_of
from flows.console.summary import MAX_LINES, Closing, Spent, Tally, closing_lines
from flows.console.summary.release_facts import closing_of

RELEASE = Path("/w/releases/0.1.0")
LEFT_OUT = "Left out (`benchloom reasons` explains every reason):"


def test_evaluation_exclusions_are_shown_with_remedies() -> None:
    evaluation = Tally(
        kind="evaluation",
        received=253,
        kept=22,
        reasons={"missing_definition": 186, "empty": 3, "too_long": 40, "paid_app": 2},
    )
    lines = closing_lines(Closing(tallies=(evaluation,)), RELEASE)
    missing = explanation_of("missing_definition", ("benchloom.normalise",))
    too_long = explanation_of("too_long", ("benchloom.normalise",))
    assert missing is not None
    assert too_long is not None
    assert lines == [
        "Kept:",
        "  shortcuts for evaluation: 22 of 253",
        LEFT_OUT,
        (
            "  shortcuts for evaluation: 231 (missing_definition 186, "
            "too_long 40, empty 3, other reasons 2)"
        ),
        f"    missing_definition: {missing.explanation} {missing.remedy}",
        f"    too_long: {too_long.explanation}",
    ]
    assert "benchloom apps" in lines[-2]


def test_texts_and_records_have_separate_lines() -> None:
    lines = closing_lines(
        Closing(
            tallies=(
                Tally(kind="shortcuts", received=10, kept=8, reasons={"not_a_shortcut": 2}),
                Tally(kind="listings", received=5, kept=4, reasons={"member_only": 1}),
                Tally(kind="plans", received=3, kept=3, reasons={}),
                Tally(kind="texts: query", received=8, kept=1, reasons={"no_template": 7}),
                Tally(kind="texts by people: query", received=4, kept=4),
            ),
            judged=False,
            spent=Spent(requests=12, tokens_in=3400, tokens_out=200, usd=0.01234),
            pages=("report.html", "sample/index.html"),
        ),
        Path("/w/my releases/0.1.0"),
    )
    assert lines == [
        "Kept:",
        "  shortcuts: 8 of 10",
        "  listings: 4 of 5",
        "  plans: 3",
        "  query texts: 1 of 8",
        "  query texts by people: 4",
        LEFT_OUT,
        "  shortcuts: 2 (not_a_shortcut 2)",
        "    not_a_shortcut: The file has no list of actions.",
        "  listings: 1 (member_only 1)",
        (
            "    member_only: The site shows the entry only to members. "
            "Set [crawl] include_member_only = true."
        ),
        "  query texts: 7 (no_template 7)",
        (
            "    no_template: No template fits the actions; "
            "templates write about a few simple ones. "
            'Use a model: set writer = "llm" or model = "local" in [generate].'
        ),
        '  no judge read the texts: add "faithfulness" to [generate] steps',
        "cost of all its texts: 12 requests, 3400 tokens in, 200 out, $0.0123",
        "documents: report.html, sample/index.html in /w/my releases/0.1.0",
        "  or in the browser: benchloom explore '/w/my releases/0.1.0'",
    ]


@pytest.mark.parametrize("kinds", [0, 1, 31, 32, 100])
def test_long_summary_is_shortened_before_its_end(kinds: int) -> None:
    closing = Closing(
        tallies=tuple(
            Tally(kind=f"kind {number}", received=2, kept=1, reasons={"odd": 1})
            for number in range(kinds)
        ),
        spent=Spent(requests=1, tokens_in=1, tokens_out=1, usd=0.0),
        pages=("report.html",),
    )
    lines = closing_lines(closing, RELEASE)
    assert len(lines) <= MAX_LINES
    assert lines[-3].endswith(", no money")
    for head in ("Kept:", LEFT_OUT) if kinds else ():
        section = lines[lines.index(head) + 1 :]
        end = next(n for n, line in enumerate(section) if not line.startswith("  "))
        hidden_lines = sum(
            int(re.sub(r"\D", "", line)) for line in section[:end] if "more lines" in line
        )
        assert sum(line.startswith("  kind ") for line in section[:end]) + hidden_lines == kinds


def test_empty_closing_has_no_lines() -> None:
    assert closing_lines(Closing(), RELEASE) == []


def test_remedies_name_existing_commands_and_keys() -> None:
    app = build_app()
    commands = {command.name for command in app.registered_commands}
    commands |= {group.name for group in app.registered_groups}
    keys = {key.name for key in all_keys()}
    remedy_text = " ".join(entry.remedy for entry in explained_reasons())
    assert set(re.findall(r"[`']benchloom (\w+)", remedy_text)) <= commands
    named_keys = re.findall(r"\[(\w+)\] (\w+)", remedy_text)
    assert {f"{section}.{key}" for section, key in named_keys} <= keys
    assert named_keys, "the pattern must match at least one key"


def test_closing_facts_equal_the_demo_release(demo_release: Path) -> None:
    closing = closing_of(demo_release)
    exclusions = {exclusion.kind: exclusion for exclusion in closing.tallies}
    rows = [
        row
        for part in table_parts(demo_release, "shortcuts")
        for row in read_rows(part, ["evaluation", "evaluation_reasons"]).to_pylist()
    ]
    evaluation = exclusions["evaluation"]
    assert (evaluation.received, evaluation.kept) == (
        len(rows),
        sum(row["evaluation"] for row in rows),
    )
    assert sum(evaluation.reasons.values()) == evaluation.received - evaluation.kept
    (join,) = [s for s in read_manifest(demo_release).funnel if s.stage == "evaluation-split"]
    assert evaluation.reasons == join.reasons, "the line of the stage counts the same way"
    assert exclusions["listings"].reasons["member_only"] == 30
    assert exclusions["shortcuts"].received - exclusions["shortcuts"].kept == sum(
        exclusions["shortcuts"].reasons.values()
    )
    assert closing.judged is False
    assert closing.spent is None, "no model was asked"
    assert closing.pages == ("report.html", "sample/index.html")
    assert msgspec.json.decode(msgspec.json.encode(closing), type=Closing) == closing


@pytest.mark.parametrize(
    ("closing", "expected"),
    [
        (Closing(judged=True), []),
        (Closing(judged=False), ["no judge read the texts"]),
        (Closing(judged=False, unjudged=19), ["19 kept texts of a model", "no judge read"]),
        (Closing(judged=False, judge_asked=True, unjudged=19), ["gave no usable verdict"]),
        (Closing(judged=True, judge_asked=True), []),
    ],
)
def test_judge_is_suggested_only_if_none_was_asked(closing: Closing, expected: list[str]) -> None:
    lines = [line.strip() for line in closing_lines(closing, RELEASE)[1:]]
    assert [start in line for start, line in zip(expected, lines, strict=True)] == [True] * len(
        lines
    )


def _table(release: Path, name: str) -> pd.DataFrame:
    return pd.read_parquet(release / name)


def test_kept_counts_equal_the_rows_of_the_release(
    demo_release: Path,
) -> None:
    tallies = {tally.kind: tally for tally in closing_of(demo_release).tallies}
    kept_counts = {kind: tally.kept for kind, tally in tallies.items()}
    texts, plans = _table(demo_release, "queries"), _table(demo_release, "planning_paths")
    shortcuts = _table(demo_release, "shortcuts")
    assert "given" in set(texts.generator)
    groups = {
        f"{'texts by people' if generator == 'given' else 'texts'}: {kind}": int(rows.kept.sum())
        for (generator, kind), rows in texts.groupby(["generator", "kind"])
    }
    files = kept_counts.pop("definition files")
    assert 0 < files < len(_table(demo_release, "api_definitions"))
    assert kept_counts == {
        "definitions": len(_table(demo_release, "api_definitions")),
        "shortcuts": len(shortcuts),
        "evaluation": int(shortcuts.evaluation.sum()),
        "listings": len(_table(demo_release, "listings")),
        "dialogues": sum(map(len, plans.dialogues)),
        "plans": len(plans),
        **groups,
    }
    assert sum(kept_counts[group] for group in groups) == int(texts.kept.sum())
    for tally in tallies.values():
        assert tally.received == tally.kept + sum(tally.reasons.values()), tally.kind
    left_out = sum(tally.left_out for tally in tallies.values())
    dropped_texts = int((~texts.kept).sum())
    assert left_out == len(_table(demo_release, "rejected")) + dropped_texts


def test_tallies_equal_the_counts_of_the_stages(demo_release: Path) -> None:
    tallies = {tally.kind: tally for tally in closing_of(demo_release).tallies}
    steps = {step.stage: step for step in read_manifest(demo_release).funnel}
    chains = {
        "definition files": ("parse-definitions",),
        "shortcuts": ("parse-shortcuts", "normalise-shortcuts", "enrich-shortcuts"),
        "listings": ("captured-listings",),
        "evaluation": ("evaluation-split",),
        "dialogues": ("convert-sgd", "normalise-plans"),
    }
    for kind, stages in chains.items():
        assert tallies[kind].received == steps[stages[0]].received, kind
        assert tallies[kind].kept == steps[stages[-1]].kept, kind
    assert tallies["texts by people: query"].received == steps["judge-given"].received
    for step in ("query", "category", "instruction"):
        stage = steps[f"generate-{step}"]
        assert tallies[f"texts: {step}"].received == stage.received, step
        assert stage.kept == stage.rows["queries"]
        reasons = tallies[f"texts: {step}"].reasons
        assert {reason: reasons[reason] for reason in stage.reasons} == stage.reasons
