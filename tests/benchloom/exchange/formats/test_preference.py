"""Tests of preference pairs: which texts are paired, and the columns for TRL's DPOTrainer."""

from pathlib import Path
from typing import Any

import pytest

from benchloom.core.errors import GateError, RunError
from benchloom.core.records import PlanningPath
from benchloom.core.records.texts import Query, Verdict
from benchloom.exchange.examples.releases import Choice
from flows.library import load
from flows.stages.export import export_release
from tests.support.commands import benchloom
from tests.support.samples.plan_release import plan_release, plans, text_of

PATHS = list(plans(4))  # two of split train, one of validation and one of test


def text(path: PlanningPath, name: str, *, kept: bool, **changes: object) -> Query:
    return text_of(path, query_id=name, text=f"Words of {name}.", kept=kept, **changes)


def verdict(query_id: str, check: str, reason: str) -> Verdict:
    return Verdict(
        target_id=query_id,
        check=check,
        kept=reason == "ok",
        reason=reason,
        score=None,
        evidence="seen",
    )


@pytest.fixture
def release(tmp_path: Path) -> Path:
    texts = [
        text(PATHS[0], "good 1", kept=True),
        text(PATHS[0], "good 2", kept=True),
        text(PATHS[0], "bad 1", kept=False),
        text(PATHS[1], "only bad", kept=False),
        text(PATHS[2], "good 3", kept=True),
        text(PATHS[2], "bad 2", kept=False),
        text(PATHS[2], "bad 3", kept=False),
        text(PATHS[2], "template", kept=False, generator="template"),
        text(PATHS[3], "good 4", kept=True),
        text_of(PATHS[3], query_id="same words", text="Words of good 4.", kept=False),
        text_of(PATHS[3], query_id="a category", kind="category", kept=False),
    ]
    verdicts = [
        verdict("bad 1", "values", "ok"),
        verdict("bad 1", "wording", "names_a_tool"),
        verdict("bad 1", "faithfulness:any", "adds_a_fact"),
        verdict("good 1", "human:1", "unclear"),
        verdict("bad 2", "values", "value_missing"),
    ]
    return plan_release(tmp_path / "release", PATHS, texts, verdicts=verdicts)


def test_each_text_is_in_at_most_one_pair(release: Path, tmp_path: Path) -> None:
    from datasets import load_dataset  # type: ignore[import-untyped]  # the package has no types

    done = export_release(release, "preference", tmp_path / "e", Choice())
    assert done.splits == {"train": 1, "validation": 1}
    assert done.left_out == {"template_text": 1, "unpaired_text": 5, "without_pair": 2}
    rows = load_dataset(str(tmp_path / "e"), cache_dir=str(tmp_path / "cache"))
    (train,), (validation,) = rows["train"], rows["validation"]
    assert (train["id"], train["rejected_id"]) == ("good 1", "bad 1")
    assert train["reasons"] == ["adds_a_fact", "names_a_tool"]
    assert train["target_id"] == PATHS[0].path_id
    assert (validation["id"], validation["rejected_id"]) == ("good 3", "bad 2")
    assert validation["reasons"] == ["value_missing"]


def test_columns_are_a_conversational_preference(release: Path, tmp_path: Path) -> None:
    """Check that the prompt is the user's and both answers are the assistant's."""
    from datasets import load_dataset

    export_release(release, "preference", tmp_path / "e", Choice("train"))
    rows = load_dataset(str(tmp_path / "e"), split="train", cache_dir=str(tmp_path / "cache"))
    (row,) = rows
    assert {"prompt", "chosen", "rejected"} <= row.keys()
    assert not {"messages", "completion", "label", "tools", "images"} & row.keys()
    roles: dict[str, list[Any]] = {
        name: [message["role"] for message in row[name]]
        for name in ("prompt", "chosen", "rejected")
    }
    assert roles == {"prompt": ["user"], "chosen": ["assistant"], "rejected": ["assistant"]}
    assert row["chosen"] == [{"role": "assistant", "content": "Words of good 1."}]
    assert row["rejected"] == [{"role": "assistant", "content": "Words of bad 1."}]
    prompt = row["prompt"][0]["content"].splitlines()
    assert '{"name":"Bistros__Book","arguments":{"name":"$call_0.name$"}}' in prompt
    assert any(line.startswith("Bistros__Find: ") for line in prompt)
    assert list(load(release).rows("preference", split="train")) == list(rows)


def test_template_texts_are_paired_on_request(tmp_path: Path) -> None:
    texts = [
        text(PATHS[0], "template", kept=True, generator="template"),
        text(PATHS[0], "bad", kept=False),
    ]
    template_release = plan_release(tmp_path / "other", PATHS, texts)
    with pytest.raises(GateError, match="nothing was exported") as refused:
        export_release(template_release, "preference", tmp_path / "e", Choice())
    assert any(
        "without a pair of a kept and a rejected" in finding for finding in refused.value.findings
    )
    done = export_release(template_release, "preference", tmp_path / "e", Choice(templates=True))
    assert done.splits == {"train": 1}


def test_preference_export_refuses_the_option_all(release: Path, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="leave out --all"):
        export_release(release, "preference", tmp_path / "e", Choice(every=True))
    words = ("--format", "preference", "--all", "--out", str(tmp_path / "e"))
    refused = benchloom("release", "export", str(release), *words)
    assert refused.returncode == 2
    assert "leave out --all" in refused.stderr


def test_changed_verdicts_are_refused(release: Path, tmp_path: Path) -> None:
    (file,) = (release / "verdicts").iterdir()
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    with pytest.raises(GateError, match="was changed"):
        export_release(release, "preference", tmp_path / "e", Choice())
    assert export_release(release, "trl", tmp_path / "e", Choice()).examples == 4
