"""Check that texts of people or other tools become rows with the verdicts of generated texts."""

import json
import os
import threading
from pathlib import Path

import pytest

from benchloom.core.errors import RunError
from benchloom.core.records import Verdict
from flows.run.runner import run_whole
from flows.stages.generate import supplied_texts as stage
from flows.stages.generate.outcome import outcome_of
from flows.stages.generate.plan import GeneratePlan
from flows.stages.generate.run import run_template
from prompts.results import supplied
from tests.support.llm.command import benchloom
from tests.support.llm.world import (
    rows_of,
    shortcut,
    shortcuts_folder,
    table_bytes,
    write_definitions,
    write_paths,
    write_shortcuts,
)

GOOD = "Could you please pop up a note that says Thing {} when I get home tonight?"


IDS = [shortcut(number).shortcut_id for number in range(3)]


def make_line(target: str, text: str, **further: object) -> bytes:
    """Return a JSON line with a text about a target."""
    return json.dumps({"target_id": target, "text": text, **further}).encode()


def test_judge_command_keeps_drops_and_rejects_lines(tmp_path: Path) -> None:
    rows = [shortcut(number) for number in range(5)]
    rows.append(shortcut(9, literals=tuple(f"Value {number}" for number in range(31))))
    source = write_shortcuts(tmp_path / "in", rows)
    ids = [row.shortcut_id for row in rows]
    lines = [
        b"\xef\xbb\xbf" + make_line(ids[3], GOOD.format(3), author="somebody", score=[1]),
        make_line(ids[0], f"  {GOOD.format(0)}\n") + b"\r",
        make_line(ids[1], "Could you please show me my tea as soon as it is ready, my friend?"),
        make_line(ids[0], GOOD.format(0)),
        make_line("shortcut:nobody", GOOD.format(0)),
        make_line(ids[5], GOOD.format(5)),
        make_line(ids[2], " \n "),
        make_line(ids[2], "word " * 2_000),
        b"",
        b"{",
        b"[" * 100_000,
        b'{"target_id": 1, "text": "a"}',
        b'{"target_id": "a"}',
        b'["a", "b"]',
        b'{"target_id": "a", "text": "\xff"}',
        b'{"target_id": "a", "text": "\\ud800"}',
        b'"' + b"x" * 300_000 + b'"',
        make_line(ids[2], GOOD.format(2), category="Games"),
        make_line(ids[4], GOOD.format(4)),
    ]
    texts = tmp_path / "texts.jsonl"
    texts.write_bytes(b"\n".join(lines))
    options = ("--in", source, "--texts", texts, "--out", tmp_path / "out")
    output = benchloom("judge", "query", *options, "--workspace", tmp_path / "w").stdout
    assert output.startswith("18 lines -> 3 kept, 1 dropped, 14 rejected in ")
    again = benchloom("judge", "query", *options, "--json")
    summary = json.loads(again.stdout)
    assert summary["kept"] == 3
    assert summary["dropped"] == {"missing_value": 1}
    queries, verdicts, rejected = rows_of(tmp_path / "out")
    assert summary["rows"] == {"queries": 4, "verdicts": len(verdicts), "rejected": 14}
    assert summary["rejected"] == {
        "duplicate_line": 1,
        "empty_text": 1,
        "line_too_long": 1,
        "not_json": 2,
        "not_utf8": 1,
        "text_too_long": 1,
        "too_many_actions": 1,
        "unknown_target": 1,
        "wrong_category": 1,
        "wrong_shape": 4,
    }
    # Rows have the order of the targets and the written text, and name no model.
    assert [row.target_id for row in queries] == [ids[0], ids[1], ids[3], ids[4]]
    assert queries[0].text == GOOD.format(0)
    assert {row.generator for row in queries} == {"given"}
    assert {row.kind for row in queries} == {"query"}
    assert {(row.model, row.prompt_digest, row.completion_digest) for row in queries} == {
        (None, None, None)
    }
    assert [row.kept for row in queries] == [True, False, True, True]
    line_numbers = [int(row.source_uri.removeprefix("texts.jsonl:")) for row in rejected]
    assert line_numbers == sorted(line_numbers)
    assert set(line_numbers) == {4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18}
    assert all(row.stage == "judge" and row.message and row.digest for row in rejected)


def test_verdicts_equal_those_of_generated_texts(tmp_path: Path) -> None:
    source = write_paths(write_definitions(shortcuts_folder(tmp_path / "in", 20)))
    for step in ("query", "instruction", "category"):
        plan = GeneratePlan(step=step, source=source)
        run_template(plan, tmp_path / step)
        generated_rows = rows_of(tmp_path / step)[0]
        lines = [
            make_line(row.target_id, row.text, category=row.category) for row in generated_rows
        ]
        texts = tmp_path / f"{step}.jsonl"
        texts.write_bytes(b"\n".join(reversed(lines)))  # the order of the lines has no effect
        mark = run_whole(stage.prepare(plan, texts), tmp_path / f"{step}-given")
        judged_tables = rows_of(tmp_path / f"{step}-given")
        assert mark.objects == len(generated_rows) == len(judged_tables[0])
        assert [row.text for row in judged_tables[0]] == [row.text for row in generated_rows]
        assert [row.kept for row in judged_tables[0]] == [row.kept for row in generated_rows]
        names = {row.query_id: row.target_id for row in (*generated_rows, *judged_tables[0])}
        assert comparable_verdicts(rows_of(tmp_path / step)[1], names) == comparable_verdicts(
            judged_tables[1], names
        )
        outcome = outcome_of(mark)
        assert outcome.kept == sum(row.kept for row in generated_rows)


def comparable_verdicts(verdicts: list[Verdict], names: dict[str, str]) -> list[tuple[object, ...]]:
    """Return verdicts without the ids of texts, which depend on the writer."""
    rows: list[tuple[object, ...]] = []
    for verdict in verdicts:
        evidence = verdict.evidence
        for query_id in names:
            evidence = evidence.replace(query_id, "")
        rows.append((names[verdict.target_id], verdict.check, verdict.kept, evidence))
    return rows


def test_second_run_and_pipe_give_the_same_bytes(tmp_path: Path) -> None:
    source = shortcuts_folder(tmp_path / "in", 3)
    texts, pipe = tmp_path / "texts.jsonl", tmp_path / "pipe"
    texts.write_bytes(b"\n".join(make_line(target_id, GOOD) for target_id in IDS))
    plan = GeneratePlan(step="query", source=source)
    first = run_whole(stage.prepare(plan, texts), tmp_path / "out")
    bytes_of_first = table_bytes(tmp_path / "out")
    assert run_whole(stage.prepare(plan, texts), tmp_path / "out") == first
    assert table_bytes(tmp_path / "out") == bytes_of_first

    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(texts.read_bytes()))
    writer.start()
    mark = run_whole(stage.prepare(plan, pipe), tmp_path / "piped")
    writer.join()
    assert mark.key == first.key
    assert table_bytes(tmp_path / "piped")["queries.parquet"] == bytes_of_first["queries.parquet"]


def test_endless_or_too_long_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = GeneratePlan(step="query", source=shortcuts_folder(tmp_path / "in", 1))
    monkeypatch.setattr(supplied, "MAX_LINES", 10)
    monkeypatch.setattr(supplied, "MAX_BYTES", 1024 * 1024)
    with pytest.raises(RunError, match="more than 1 MiB; divide it"):
        run_whole(stage.prepare(plan, Path("/dev/zero")), tmp_path / "out")
    ten = tmp_path / "ten.jsonl"
    ten.write_bytes(b"{}\n" * 10)
    assert run_whole(stage.prepare(plan, ten), tmp_path / "ten").reasons == {"wrong_shape": 10}
    ten.write_bytes(b"{}\n" * 11)
    with pytest.raises(RunError, match="more than 10 lines; divide it"):
        run_whole(stage.prepare(plan, ten), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_wrong_usage_of_judge_is_reported(tmp_path: Path) -> None:
    source = shortcuts_folder(tmp_path / "in", 1)
    texts = tmp_path / "texts.jsonl"
    texts.write_bytes(b"")
    options = ("--in", source, "--texts", texts, "--out", tmp_path / "out")
    assert "writes no texts" in benchloom("judge", "instruction_score", *options, code=2).stderr
    assert "unknown step 'poem'" in benchloom("judge", "poem", *options, code=2).stderr
    nothing = ("--in", source, "--texts", tmp_path / "none", "--out", tmp_path / "out")
    assert "No such file" in benchloom("judge", "query", *nothing, code=2).stderr
    assert (
        "directory"
        in benchloom(
            "judge", "query", "--in", source, "--texts", tmp_path, "--out", tmp_path / "out", code=2
        ).stderr
    )
    empty = benchloom("judge", "query", *options, "--json", code=1)
    assert json.loads(empty.stdout)["kept"] == 0
    assert "nothing was read" in empty.stderr
