"""A small benchmark for tests: its gold is a text with one number per sample."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from benchloom.core.records.values import Plain
from benchloom.evaluate import Benchmark, Metric, Rules, Sample
from benchloom.evaluate.benchmark import Judged, LeftOut, Report, unreported
from benchloom.evaluate.statistics.metrics import Ratio
from benchloom.exchange.examples import Call, Example, Finding


class Echo(Benchmark):
    """A benchmark whose right output is the number itself; odd numbers have the level `odd`."""

    title = "Say the number again"
    outcomes: ClassVar[Mapping[str, str]] = {
        "right": "the same number",
        "wrong": "another number",
        "unparseable": "no number",
    }

    def metrics(self, rules: Rules) -> Sequence[Metric]:
        right = Ratio("same", "Share of the same numbers", {"same": 1}, {"samples": 1})
        close = Ratio("close", "Share of near ones among numbers", {"close": 1}, {"numbers": 1})
        return (right, close) if rules == "right" else (right,)

    def read_gold(self, gold: Path, report: Report = unreported) -> Iterator[Sample]:
        for index, line in enumerate(gold.read_text().split()):
            if not line.isdecimal():
                report(LeftOut(f"{gold.name}#{index}", "no_number", line))
                continue
            example = Example(
                example_id=str(index),
                target_id=line,
                source="echo",
                source_id=str(index),
                source_uri=str(gold),
                calls=(),
                split="low" if int(line) < 4 else "high",
            )
            level = "odd" if int(line) % 2 else "even"
            yield Sample(sample_id=f"line-{index}", example=example, level=level)

    def judge(self, sample: Sample, output: Plain, rules: Rules) -> Judged:
        del rules
        target = int(sample.example.target_id)
        if not isinstance(output, int):
            return Judged("unparseable", {}, (Finding("no_number", "the output is not a number"),))
        counts = {"numbers": 1.0, "close": float(abs(output - target) < 3)}
        if output == target:
            return Judged("right", {**counts, "same": 1.0})
        return Judged("wrong", counts, (Finding("another", f"{output} for {target}"),))

    def output_of(self, sample: Sample, calls: Sequence[Call]) -> Plain:
        del calls
        return int(sample.example.target_id)

    def text_of(self, sample: Sample, calls: Sequence[Call]) -> str:
        return str(self.output_of(sample, calls))
