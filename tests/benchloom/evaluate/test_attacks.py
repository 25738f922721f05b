"""Check that odd predictions are counted as samples, or end the scoring with a one-line error."""

from pathlib import Path

import pytest

from benchloom.core.errors import RunError
from benchloom.evaluate import Rules
from benchloom.evaluate.benchmark import RULES
from benchloom.evaluate.benchmarks import BENCHMARKS
from benchloom.evaluate.result_files import score_predictions
from tests.benchloom.evaluate.test_damaged_gold import CASES

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


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("attack", ATTACKS)
def test_odd_predictions_are_counted_or_refused_in_one_line(
    tmp_path: Path, attack: str, rules: Rules
) -> None:
    predictions = tmp_path / "mine.jsonl"
    for name, (write, records) in CASES.items():
        gold = tmp_path / name
        write(gold, records())
        ids = (sample.sample_id for sample in BENCHMARKS.find(name).read_gold(gold))
        first, second = (sample_id for sample_id in ids if not sample_id.endswith("/response"))
        text = ATTACKS[attack].replace('"id": "a"', f'"id": "{first}"')
        text = text.replace('"id": "c"', f'"id": "{second}"')
        predictions.write_text(text, encoding="utf-8", errors="surrogatepass")
        try:
            summary = score_predictions(
                name, gold, predictions, rules, out=tmp_path / f"out {name}"
            )
        except RunError as error:
            assert attack in REFUSED_ATTACKS
            assert len(str(error)) < 1000
            assert "\n" not in str(error)
            continue
        assert attack not in REFUSED_ATTACKS
        assert summary.samples == 2
        assert all(0 <= value <= 1 for value in summary.metrics.values())


REFUSED_ATTACKS = {
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
