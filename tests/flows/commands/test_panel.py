"""Tests of `benchloom calibrate` with a panel of scripted judges and labels of two people."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchloom.core.records import Query, Verdict
from benchloom.release.review import Answer, AnswerLog
from benchloom.storage.tables import iter_records
from prompts.data_block import read_data_block
from tests.support.llm.command import benchloom
from tests.support.llm.server import Json, LlmServer
from tests.support.llm.world import shortcuts_folder

COUNT = 20
FLAWED = range(0, COUNT, 4)
"""Numbers of the five flawed texts among the twenty."""
DROPS = {
    "strict": {*FLAWED, 1, 2, 3},
    "lenient": {0, 4},
    "even": {0, 4, 8, 12, 1},
}
BEN_DIFFERS = {3, 16}
PANEL = """
[judges.strict]
model = "big"
rules = "strict.txt"
[judges.lenient]
model = "big"
[judges.even]
model = "small"
temperature = 0.5
"""
STRICT = "You are asked whether every call is asked for, and let nothing pass."


class Judges(LlmServer):
    """A server of judges with scripted verdicts; the request shows which judge is asked."""

    def _content(self, fields: Json, fault: str | None) -> str:
        del fault
        system, user = (message["content"] for message in fields["messages"])  # type: ignore[attr-defined]  # requests have messages
        data: Any = read_data_block(user)
        name = "even" if fields["model"] == "small" else "strict" if STRICT in system else "lenient"
        approval = int(data["text"].rpartition(" ")[2].rstrip("?")) not in DROPS[name]
        quote = data["text"].split()[0] if approval else ""
        calls = [
            {"number": call["number"], "quote": quote, "asked": approval} for call in data["calls"]
        ]
        return json.dumps(
            {"calls": calls, "beyond": [], "misplaced": [], "too_early": [], "form": []}
        )


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """Return a folder of shortcuts and a folder of texts; each text ends with its number."""
    source = shortcuts_folder(tmp_path / "in", COUNT)
    ids = [row.shortcut_id for row in iter_records(source, "shortcuts", _Target)]
    lines = [
        json.dumps(
            {"target_id": target_id, "text": f"Could you please pop up a note for Thing {n}?"}
        )
        for n, target_id in enumerate(ids)
    ]
    (tmp_path / "texts.jsonl").write_text("\n".join(lines))
    options = ("--in", source, "--texts", tmp_path / "texts.jsonl", "--out", tmp_path / "given")
    benchloom("judge", "query", *options)
    (tmp_path / "strict.txt").write_text(STRICT)
    (tmp_path / "panel.toml").write_text(PANEL)
    return source, tmp_path / "given"


class _Target(msgspec.Struct):
    shortcut_id: str


def text_number(row: Query) -> int:
    return int(row.text.rpartition(" ")[2].rstrip("?"))


@pytest.mark.long
def test_panel_and_people_have_the_expected_agreement(
    folders: tuple[Path, Path], tmp_path: Path
) -> None:
    texts = {text_number(row): row for row in iter_records(folders[1], "queries", Query)}
    for name in ("ann", "ben"):
        log = AnswerLog(tmp_path / "reviews", name)
        for number, row in texts.items():
            flawed = (number in FLAWED) is not (name == "ben" and number in BEN_DIFFERS)
            decision, reason = ("reject", "left_out") if flawed else ("accept", "")
            log.add(
                Answer(
                    query_id=row.query_id,
                    text_digest="",
                    decision=decision,  # type: ignore[arg-type]  # a text of the literal type
                    reason=reason,
                )
            )
        log.close()
    words = ["--panel", tmp_path / "panel.toml", "--out", tmp_path / "panel", "--json"]
    words += ["--labels", tmp_path / "reviews", "--workspace", tmp_path / "w"]
    with Judges().running() as server:
        command = partial(benchloom, "calibrate", *folders, *words, OPENAI_BASE_URL=server.url)
        report = json.loads(command().stdout)
        assert server.billing.billed == 3 * COUNT
        second_report = json.loads(command().stdout)
        assert server.billing.billed == 3 * COUNT, "asked again"
    assert second_report["found"] == report["found"]
    calibration = report["found"]
    # Two of twenty texts differ; ann and ben each drop 5 (ben adds 3 and omits 16).
    assert (calibration["people"]["equal"], calibration["people"]["texts"]) == (18, 20)
    assert calibration["people"]["alpha"] == pytest.approx(1 - 0.1 / (2 * 10 * 30 / (40 * 39)))
    assert (calibration["labelled"], calibration["undecided"], calibration["good"]) == (20, 2, 14)
    shares = {rater["rater"]: rater for rater in calibration["raters"]}
    flawed_numbers = set(FLAWED) - BEN_DIFFERS
    for name, model in (("strict", "big"), ("lenient", "big"), ("even", "small")):
        rater_figures, drops = shares[f"faithfulness:{model}/{name}"], DROPS[name] - BEN_DIFFERS
        hits = len(drops & flawed_numbers)
        assert (rater_figures["precision"]["hits"], rater_figures["precision"]["of"]) == (
            hits,
            len(drops),
        ), name
        assert (rater_figures["recall"]["hits"], rater_figures["recall"]["of"]) == (
            hits,
            len(flawed_numbers),
        ), name
    # Two of the three judges drop the texts 0, 4, 8, 12 and 1.
    panel = shares["panel"]["precision"]
    assert (panel["hits"], panel["of"]) == (4, 5)
    unanimous_numbers = [
        n for n in range(COUNT) if len({n in drops for drops in DROPS.values()}) == 1
    ]
    assert (calibration["judges"]["texts"], calibration["judges"]["equal"]) == (
        COUNT,
        len(unanimous_numbers),
    )
    assert calibration["judges"]["alpha"] == pytest.approx(krippendorff_alpha(list(DROPS.values())))
    assert [judge["judge"] for judge in report["asked"]] == ["strict", "lenient", "even"]
    rows = list(iter_records(tmp_path / "panel" / "strict", "verdicts", Verdict))
    assert sum(not row.kept for row in rows) == len(DROPS["strict"])


def krippendorff_alpha(drops: list[set[int]]) -> float:
    """Return Krippendorff's alpha, by its definition, of raters who each rate every text."""
    raters = len(drops)
    votes = [sum(number in rater_drops for rater_drops in drops) for number in range(COUNT)]
    observed = sum(2 * count * (raters - count) / (raters - 1) for count in votes)
    total, dropped = raters * COUNT, sum(votes)
    return 1 - observed / (2 * dropped * (total - dropped) / (total - 1))


def test_panel_without_labels_reports_only_agreement(
    folders: tuple[Path, Path], tmp_path: Path
) -> None:
    words = ("--panel", tmp_path / "panel.toml", "--out", tmp_path / "panel")
    with Judges().running() as server:
        done = benchloom(
            "calibrate", *folders, *words, "--workspace", tmp_path, OPENAI_BASE_URL=server.url
        )
    assert f"strict: {COUNT - 8} kept, 8 dropped, 0 without a verdict, in " in done.stdout
    (agreement_line,) = [line for line in done.stdout.splitlines() if line.startswith("judges: ")]
    alpha = krippendorff_alpha(list(DROPS.values()))
    assert (
        agreement_line
        == f"judges: 3 raters, 14 of 20 texts alike, Krippendorff's alpha {alpha:.3f}"
    )
    assert "labelled" not in done.stdout


@pytest.mark.parametrize(
    ("panel", "message"),
    [
        ("[judges.one]\n", "a panel needs at least two tables [judges.NAME]"),
        ("[judges.one]\n[judges.'Two 2']\n", "'Two 2' is not a valid name"),
        ("[judges.one]\n[judges.two]\nprompt = 'x'\n", "unknown field `prompt`"),
        ("[judges.one]\n[judges.two]\nrules = 'nowhere.txt'\n", "No such file"),
        ("judges = [", "panel.toml: "),
        ("[judges.one]\n[judges.two]\nmax_usd = nan\n", ">= 0"),
        ("[judges.one]\n[judges.two]\nmax_usd = -1\n", ">= 0"),
        ("[judges.one]\n[judges.two]\ntemperature = inf\n", "<= 2"),
        ("x" * 70_000, "larger than 64 KiB"),
    ],
)
def test_invalid_panel_is_a_one_line_error(tmp_path: Path, panel: str, message: str) -> None:
    (tmp_path / "panel.toml").write_text(panel)
    words = ("--panel", tmp_path / "panel.toml", "--out", tmp_path / "out")
    done = benchloom("calibrate", tmp_path, *words, code=2)
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_panel_requires_an_output_folder(tmp_path: Path) -> None:
    (tmp_path / "panel.toml").write_text(PANEL)
    done = benchloom("calibrate", tmp_path, "--panel", tmp_path / "panel.toml", code=2)
    assert "--panel needs --out" in done.stderr
