"""The figures that the definitions demand, one case after the other."""

import pytest

from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmark import RULES
from benchloom.evaluate.benchmarks.shortcuts import BENCHMARK
from benchloom.evaluate.benchmarks.shortcuts.positions import Position
from tests.benchloom.evaluate.shortcuts.drafts import (
    END,
    IF,
    acted,
    needed,
    output,
    samples,
    text,
    variable,
)
from tests.support.evaluation import metric_figures

LENGTH = samples(("length", {"n": 3, "u": "km", "note": ""}))
OPEN = samples(
    ("url", {"UUID": "U-1", "WFURLActionURL": "https://hens.example"}),
    ("url", {"UUID": "U-2", "WFURLActionURL": "https://geese.example"}),
    ("openurl", {"WFInput": output("U-1", "URL")}),
)
ASKED = samples(("showresult", {"Text": needed("Ask")}))
FIRST = acted("url", WFURLActionURL="https://hens.example")
SECOND = acted("url", WFURLActionURL="https://geese.example")


@pytest.mark.parametrize(
    ("given", "outputs", "metric", "right", "published"),
    [
        (
            samples(("getwifi", {}), IF, ("vibrate", {}), END),
            [acted("getwifi"), acted("vibrate")],
            "api_selection",
            1,
            1,
        ),
        (
            samples(("getwifi", {}), ("vibrate", {})),
            [acted("getwifi"), "{"],
            "api_selection",
            *2 * (0.5,),
        ),
        (LENGTH, [acted("length", n="3", u="km")], "static_parameters", 1, 1),
        (LENGTH, [acted("length", n="3", u="km")], "static_parameters_conditional", 1, 1),
        (LENGTH, [acted("width", n="3", u="km")], "static_parameters", 0, None),
        (LENGTH, [acted("width", n="3", u="km")], "static_parameters_conditional", None, None),
        (LENGTH, [acted("width", n="3", u="km")], "static_parameters_unconditional", 0, 0),
        (LENGTH, [acted("length", n="3.0", u="km")], "static_parameters", 1, 0.5),
        (samples(("set", {"on": True})), [acted("set", on="1")], "static_parameters", 1, 1),
        (samples(("set", {"on": True})), [acted("set", on="true")], "static_parameters", 1, 0),
        (samples(("set", {"x": 2.5})), [acted("set", x="2.50")], "static_parameters", 1, 1),
        (ASKED, [acted("showresult", Text=needed("Ask"))], "need_for_input", 1, 1),
        (ASKED, [acted("showresult", Text=needed("CurrentDate"))], "need_for_input", 0, 0),
        (ASKED, [acted("showresult", Text="x")], "need_for_input", 0, 0),
        (ASKED, [acted("vibrate")], "need_for_input", 0, None),
    ],
)
def test_stated_figures(
    given: list[Position],
    outputs: list[Plain],
    metric: str,
    right: float | None,
    published: float | None,
) -> None:
    for rules, expected in zip(RULES, (right, published), strict=True):
        judgements = [
            BENCHMARK.judge(position, put_out, rules)
            for position, put_out in zip(given, outputs, strict=True)
        ]
        assert metric_figures(BENCHMARK, judgements, rules).get(metric) == expected


@pytest.mark.parametrize(
    ("reference", "right", "published"),
    [
        (output("U-1", "URL"), 1, 1),
        (output("U-2", "URL"), 0, 1),
        (output("U-9", "URL"), 0, 1),
        (output("U-2", "Text"), 0, 0),
        (output("u-1", "Text"), 1, 1),
        (variable("URL"), 0, 0),
    ],
)
def test_previous_outputs(reference: Plain, right: float, published: float) -> None:
    outputs: list[Plain] = [FIRST, SECOND, acted("openurl", WFInput=reference)]
    test_stated_figures(OPEN, outputs, "previous_outputs", right, published)


@pytest.mark.parametrize(
    ("sample", "put_out", "word"),
    [
        (ASKED[0], acted("showresult", Text="x"), "invented"),
        (ASKED[0], acted("showresult", Text=needed("Clipboard")), "wrong_input"),
        (ASKED[0], acted("showresult"), "missing_parameter"),
        (ASKED[0], acted("showresult", Text=needed("Ask"), Size=3), "extra_parameter"),
        (ASKED[0], acted("showresult", Text=text("So ", needed("Ask"))), "extra_value"),
        (LENGTH[0], acted("length", n=3, u="km", note="hens"), "extra_value"),
        (ASKED[0], acted("vibrate"), "wrong_api"),
        (ASKED[0], "Finish", "finished"),
        (ASKED[0], "I would rather not", "unparseable"),
        (OPEN[2], acted("openurl", WFInput="https://hens.example"), "literal_reference"),
        (OPEN[2], acted("openurl", WFInput=output("U-2")), "wrong_reference"),
        (LENGTH[0], acted("length", n=4, u="km"), "wrong_value"),
        (LENGTH[0], acted("length", n=3, u="km", note=""), "right"),
    ],
)
def test_stated_classes(sample: Position, put_out: Plain, word: str) -> None:
    assert BENCHMARK.judge(sample, put_out, "right").outcome == word
    assert word in BENCHMARK.outcomes


def test_only_essential_values_count_where_it_is_known_which() -> None:
    (sample,) = samples(("length", {"n": 3, "u": "km"}), essential={0: {"u"}})
    judged = BENCHMARK.judge(sample, acted("length", n=4, u="km"), "right")
    assert (judged.outcome, judged.counts["static_gold"], judged.counts["static_right"]) == (
        "right",
        1,
        1,
    )
    (sample,) = samples(("length", {"n": 3, "u": "km"}), essential={})
    assert BENCHMARK.judge(sample, acted("length"), "right").counts["static_gold"] == 0
