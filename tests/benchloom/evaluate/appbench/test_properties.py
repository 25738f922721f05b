"""Tests of AppBench's scores for generated plans: they check bounds, orders and changes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from benchloom.evaluate.benchmarks.appbench import BENCHMARK
from benchloom.exchange.examples import Argument, Call, Ref
from tests.benchloom.evaluate.appbench.samples import renumber_references, sample, scores

if TYPE_CHECKING:
    from benchloom.core.records.values import Value

OUTPUTS = {"find": ("place", "price"), "book": ("place", "seat"), "play": ("track",)}
SIGNS = "ab0'\"\\,.:;()[]{}#=_` \n\té"
TEXTS = st.one_of(
    st.sampled_from(["2", "Oslo, N", "x='y', #z", "it's", "a) b"]),
    st.text(SIGNS, max_size=8),
)
FEW = settings(max_examples=30, deadline=None)


@st.composite
def plans(draw: st.DrawFn, most: int = 5) -> tuple[Call, ...]:
    calls: list[Call] = []
    for index in range(draw(st.integers(1, most))):
        api = draw(st.sampled_from(sorted(OUTPUTS)))
        values: dict[str, Value] = {}
        for name in draw(st.lists(st.sampled_from("pqr"), unique=True)):
            if index and draw(st.booleans()):
                step = draw(st.integers(0, index - 1))
                values[name] = Ref(step, draw(st.sampled_from(calls[step].returns)))
            else:
                values[name] = draw(TEXTS)
        arguments = tuple(
            Argument(name, value, "given" if isinstance(value, Ref) else None)
            for name, value in sorted(values.items())
        )
        app = draw(st.sampled_from(["Ferries", "Pottery"]))
        calls.append(Call(app, api, arguments, returns=OUTPUTS[api]))
    return tuple(calls)


def reorder_calls(calls: Sequence[Call], order: Sequence[int]) -> tuple[Call, ...]:
    """Return the calls in another order, with adapted references and reversed arguments."""
    return tuple(
        Call(call.app, call.api, call.arguments[::-1], returns=call.returns)
        for call in renumber_references((calls[step] for step in order), order.index)
    )


def draw_order(calls: Sequence[Call], data: st.DataObject) -> list[int]:
    """Draw an order of the calls in which producers come first."""
    order: list[int] = []
    while len(order) < len(calls):
        ready = [
            step
            for step, call in enumerate(calls)
            if step not in order
            and all(a.value.step in order for a in call.arguments if isinstance(a.value, Ref))
        ]
        order.append(data.draw(st.sampled_from(ready)))
    return order


@given(plans(), st.data())
@FEW
def test_gold_is_right_in_any_order_and_form(calls: tuple[Call, ...], data: st.DataObject) -> None:
    gold_sample = sample(calls)
    reordered_calls = reorder_calls(calls, draw_order(calls, data))
    for predicted_calls in (calls, reordered_calls):
        for output in (
            BENCHMARK.output_of(gold_sample, predicted_calls),
            BENCHMARK.text_of(gold_sample, predicted_calls),
        ):
            judgement = BENCHMARK.judge(gold_sample, output, "right")
            assert (judgement.outcome, judgement.findings) == ("right", ())
            assert set(scores(calls, output).values()) == {1}


@given(plans(), st.data())
@FEW
def test_changed_argument_prevents_success(calls: tuple[Call, ...], data: st.DataObject) -> None:
    step = data.draw(st.integers(0, len(calls) - 1))
    call = calls[step]
    changed = Call(
        call.app, call.api, (*call.arguments, Argument("surplus", "1")), returns=call.returns
    )
    is_replaced = data.draw(st.booleans())
    if is_replaced and call.arguments:
        at = data.draw(st.integers(0, len(call.arguments) - 1))
        arguments = list(call.arguments)
        arguments[at] = Argument(arguments[at].name, "another value")
        changed = Call(call.app, call.api, tuple(arguments), returns=call.returns)
    changed_calls = (*calls[:step], changed, *calls[step + 1 :])
    for output in (
        BENCHMARK.output_of(sample(calls), changed_calls),
        BENCHMARK.text_of(sample(calls), changed_calls),
    ):
        metrics = scores(calls, output)
        assert (metrics["f1_api"], metrics["em_api"], metrics["success"]) == (1, 1, 0)


@given(plans(), plans(), st.text(SIGNS, max_size=40))
@FEW
def test_every_figure_is_between_0_and_1(
    gold: tuple[Call, ...], predicted: tuple[Call, ...], noise: str
) -> None:
    text = BENCHMARK.text_of(sample(gold), predicted)
    for output in (
        text,
        BENCHMARK.output_of(sample(gold), predicted),
        noise,
        noise + text,
        text[:-3],
    ):
        for rules in ("right", "published"):
            for value in scores(gold, output, rules).values():
                assert value is None or 0 <= value <= 1
        judgement = BENCHMARK.judge(sample(gold), output, "right")
        assert judgement.outcome in BENCHMARK.outcomes
        assert (judgement.outcome == "right") == (not judgement.findings)


@given(plans())
@FEW
def test_missing_or_extra_call_prevents_success(calls: tuple[Call, ...]) -> None:
    gold_sample = sample(calls)
    extra_call_scores = scores(calls, BENCHMARK.output_of(gold_sample, (*calls, calls[-1])))
    assert (
        extra_call_scores["success"]
        == extra_call_scores["em_api"]
        == extra_call_scores["em_app"]
        == 0
    )
    missing_call_scores = scores(calls, BENCHMARK.output_of(gold_sample, calls[:-1]))
    assert missing_call_scores["success"] == 0
    size = len(calls)
    assert missing_call_scores["f1_api"] == (size - 1) * 2 / (size * 2 - 1)
