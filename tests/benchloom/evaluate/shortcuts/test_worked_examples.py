"""Tests of small ShortcutsBench cases whose figures follow from the definitions of the metrics."""

import pytest

from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmark import RULES
from benchloom.evaluate.benchmarks.shortcuts import BENCHMARK
from benchloom.evaluate.benchmarks.shortcuts.positions import Position
from tests.benchloom.evaluate.shortcuts.drafts import (
    END,
    IF,
    needed_input,
    output,
    samples,
    text,
    variable,
    written_action,
)
from tests.support.evaluation import metric_figures

LENGTH = samples(("length", {"n": 3, "u": "km", "note": ""}))
OPEN_URL = samples(
    ("url", {"UUID": "U-1", "WFURLActionURL": "https://hens.example"}),
    ("url", {"UUID": "U-2", "WFURLActionURL": "https://geese.example"}),
    ("openurl", {"WFInput": output("U-1", "URL")}),
)
INPUT_NEEDED = samples(("showresult", {"Text": needed_input("Ask")}))
FIRST = written_action("url", WFURLActionURL="https://hens.example")
SECOND = written_action("url", WFURLActionURL="https://geese.example")


@pytest.mark.parametrize(
    ("positions", "outputs", "metric", "right", "published"),
    [
        (
            samples(("getwifi", {}), IF, ("vibrate", {}), END),
            [written_action("getwifi"), written_action("vibrate")],
            "api_selection",
            1,
            1,
        ),
        (
            samples(("getwifi", {}), ("vibrate", {})),
            [written_action("getwifi"), "{"],
            "api_selection",
            *2 * (0.5,),
        ),
        (LENGTH, [written_action("length", n="3", u="km")], "static_parameters", 1, 1),
        (LENGTH, [written_action("length", n="3", u="km")], "static_parameters_conditional", 1, 1),
        (LENGTH, [written_action("width", n="3", u="km")], "static_parameters", 0, None),
        (
            LENGTH,
            [written_action("width", n="3", u="km")],
            "static_parameters_conditional",
            None,
            None,
        ),
        (LENGTH, [written_action("width", n="3", u="km")], "static_parameters_unconditional", 0, 0),
        (LENGTH, [written_action("length", n="3.0", u="km")], "static_parameters", 1, 0.5),
        (
            samples(("set", {"on": True})),
            [written_action("set", on="1")],
            "static_parameters",
            1,
            1,
        ),
        (
            samples(("set", {"on": True})),
            [written_action("set", on="true")],
            "static_parameters",
            1,
            0,
        ),
        (
            samples(("set", {"x": 2.5})),
            [written_action("set", x="2.50")],
            "static_parameters",
            1,
            1,
        ),
        (
            INPUT_NEEDED,
            [written_action("showresult", Text=needed_input("Ask"))],
            "need_for_input",
            1,
            1,
        ),
        (
            INPUT_NEEDED,
            [written_action("showresult", Text=needed_input("CurrentDate"))],
            "need_for_input",
            0,
            0,
        ),
        (INPUT_NEEDED, [written_action("showresult", Text="x")], "need_for_input", 0, 0),
        (INPUT_NEEDED, [written_action("vibrate")], "need_for_input", 0, None),
    ],
)
def test_figures_follow_the_definitions(
    positions: list[Position],
    outputs: list[Plain],
    metric: str,
    right: float | None,
    published: float | None,
) -> None:
    for rules, expected in zip(RULES, (right, published), strict=True):
        judgements = [
            BENCHMARK.judge(position, prediction, rules)
            for position, prediction in zip(positions, outputs, strict=True)
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
def test_references_to_previous_outputs(reference: Plain, right: float, published: float) -> None:
    outputs: list[Plain] = [FIRST, SECOND, written_action("openurl", WFInput=reference)]
    test_figures_follow_the_definitions(OPEN_URL, outputs, "previous_outputs", right, published)


@pytest.mark.parametrize(
    ("sample", "prediction", "expected"),
    [
        (INPUT_NEEDED[0], written_action("showresult", Text="x"), "invented"),
        (
            INPUT_NEEDED[0],
            written_action("showresult", Text=needed_input("Clipboard")),
            "wrong_input",
        ),
        (INPUT_NEEDED[0], written_action("showresult"), "missing_parameter"),
        (
            INPUT_NEEDED[0],
            written_action("showresult", Text=needed_input("Ask"), Size=3),
            "extra_parameter",
        ),
        (
            INPUT_NEEDED[0],
            written_action("showresult", Text=text("So ", needed_input("Ask"))),
            "extra_value",
        ),
        (LENGTH[0], written_action("length", n=3, u="km", note="hens"), "extra_value"),
        (INPUT_NEEDED[0], written_action("vibrate"), "wrong_api"),
        (INPUT_NEEDED[0], "Finish", "finished"),
        (INPUT_NEEDED[0], "I would rather not", "unparseable"),
        (
            OPEN_URL[2],
            written_action("openurl", WFInput="https://hens.example"),
            "literal_reference",
        ),
        (OPEN_URL[2], written_action("openurl", WFInput=output("U-2")), "wrong_reference"),
        (LENGTH[0], written_action("length", n=4, u="km"), "wrong_value"),
        (LENGTH[0], written_action("length", n=3, u="km", note=""), "right"),
    ],
)
def test_outcome_of_each_output(sample: Position, prediction: Plain, expected: str) -> None:
    assert BENCHMARK.judge(sample, prediction, "right").outcome == expected
    assert expected in BENCHMARK.outcomes


def test_only_essential_values_count_if_they_are_marked() -> None:
    (sample,) = samples(("length", {"n": 3, "u": "km"}), essential={0: {"u"}})
    judgement = BENCHMARK.judge(sample, written_action("length", n=4, u="km"), "right")
    assert (
        judgement.outcome,
        judgement.counts["static_gold"],
        judgement.counts["static_right"],
    ) == (
        "right",
        1,
        1,
    )
    (sample,) = samples(("length", {"n": 3, "u": "km"}), essential={})
    assert BENCHMARK.judge(sample, written_action("length"), "right").counts["static_gold"] == 0
