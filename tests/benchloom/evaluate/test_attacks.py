"""Odd predictions are counted, or end the scoring with one line."""

import json
from pathlib import Path

import pytest

from benchloom.core.errors import RunError
from benchloom.evaluate import Rules
from benchloom.evaluate.benchmark import RULES
from benchloom.evaluate.benchmarks.appbench import BENCHMARK as APPBENCH
from benchloom.evaluate.result_files import score_predictions
from tests.benchloom.evaluate.api_bank.talks import call, write
from tests.benchloom.evaluate.appbench.samples import FERRY, sample
from tests.benchloom.evaluate.nestful.worlds import HALVES, TOOLS, TRIP
from tests.benchloom.evaluate.shortcuts.drafts import acted

LONG = "9" * 10**6
DEEP = "[" * 10_000 + "]" * 10_000
CALL = f'{{"name": "half", "arguments": {{"amount": {"1" * 5000}}}}}'
ATTACKS = {
    "empty file": "",
    "blank lines": "\n\n",
    "empty outputs": '{"id": "a", "output": ""}\n{"id": "c", "output": []}\n',
    "twice the same id": '{"id": "a", "output": ""}\n{"id": "a", "output": ""}\n',
    "unknown ids": '{"id": "x", "output": ""}\n{"id": "y", "output": ""}\n',
    "long number": '{"id": "a", "output": %s}\n{"id": "c", "output": "%s"}\n'
    % (("9" * 10**6,) * 2),
    "long id": '{"id": "%s", "output": ""}\n' % ("a" * 10**6),
    "deep": f'{{"id": "a", "output": {DEEP}}}\n{{"id": "c", "output": "{DEEP}"}}\n',
    "NaN": '{"id": "a", "output": NaN}\n{"id": "c", "output": [Infinity, -Infinity]}\n',
    "no object": '[1]\n"x"\n3\nnull\n',
    "bytes": "\x00\x01\ufffe\n",
    "surrogates": '{"id": "\\ud800", "output": "\\udc00"}\n',
    "numbers in calls": f'{{"id": "a", "output": [{CALL}]}}\n'
    '{"id": "c", "output": [{"name": 1e999, "arguments": {}}]}\n',
}


def golds(folder: Path) -> dict[str, tuple[Path, list[str]]]:
    """A gold of two samples for each benchmark, with their ids."""
    nestful, appbench, shortcuts = (folder / f"{n}.jsonl" for n in ("n", "test_ss", "s"))
    records = [
        {"sample_id": name, "input": "Please.", "output": calls, "tools": TOOLS}
        for name, calls in (("a", TRIP), ("c", HALVES))
    ]
    nestful.write_text("".join(json.dumps(record) + "\n" for record in records))
    output = APPBENCH.output_of(sample(FERRY), FERRY)
    appbench.write_text(json.dumps([{"input": "Go.", "output": output}] * 2))
    actions = [acted("getwifi"), acted("vibrate")]
    shortcuts = folder / "s.json"
    shortcuts.write_text(json.dumps({"shortcut": {"WFWorkflowActions": actions}}))
    talk = write(folder / "bank" / "T.jsonl", [call("Ring", {"bell": "1"}), call("Rest", {})])
    return {
        "nestful": (nestful, ["a", "c"]),
        "appbench": (appbench, ["test_ss/1", "test_ss/2"]),
        "shortcuts": (shortcuts, ["s.json#1/0", "s.json#1/1"]),
        "api-bank": (talk.parent, ["T.jsonl#0", "T.jsonl#1"]),
    }


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("attack", ATTACKS)
def test_odd_predictions_are_counted_or_one_line(tmp_path: Path, attack: str, rules: Rules) -> None:
    mine = tmp_path / "mine.jsonl"
    for name, (gold, (first, second)) in golds(tmp_path).items():
        text = ATTACKS[attack].replace('"id": "a"', f'"id": "{first}"')
        text = text.replace('"id": "c"', f'"id": "{second}"')
        mine.write_text(text, encoding="utf-8", errors="surrogatepass")
        try:
            summary = score_predictions(name, gold, mine, rules, out=tmp_path / f"out {name}")
        except RunError as error:
            assert attack in ENDS
            assert len(str(error)) < 1000
            assert "\n" not in str(error)
            continue
        assert attack not in ENDS
        assert summary.samples == 2
        assert all(0 <= value <= 1 for value in summary.metrics.values())


ENDS = {
    "blank lines",
    "bytes",
    "empty file",
    "long id",
    "no object",
    "surrogates",
    "twice the same id",
    "unknown ids",
}
"""Attacks that end in an error: predictions for no sample, or two for the same sample."""
