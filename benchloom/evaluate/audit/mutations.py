"""The mutations: functions that change gold outputs to test a scorer.

Each mutation declares whether the changed output still means the same. A correct scorer lowers the
score for every mutation that changes the meaning, and for no other.
"""

from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random

import msgspec
from msgspec.structs import replace

from benchloom.core.records.values import Value
from benchloom.evaluate.audit.mutation import (
    Changed,
    ChangedValue,
    Meaning,
    Mutation,
    Subject,
    renumbered,
    requested_calls,
    with_value,
)
from benchloom.exchange.examples import Argument, Call, Ref
from benchloom.exchange.examples.example import refs_of

MUTATIONS: dict[str, Mutation] = {}
NAME_SUFFIX = "Elsewhere"  # appended to an API's name, to make a name that no API has
INVENTED = "invented_argument"
SHORTEST = 10  # minimum characters of a text that can be cut
_EXACT = 2**53  # integers below it are exact as floating point numbers
Change = Callable[[Subject, Random], Changed]
ChangeOfValue = Callable[[Value], ChangedValue]


def mutation(title: str, meaning: Meaning = "other") -> Callable[[Change], Change]:
    """Return a decorator that registers a mutation in `MUTATIONS` under the function's name.

    The decorated function returns the changed output, or UNSET if it cannot change the output of
    the sample.
    """

    def added(change: Change) -> Change:
        MUTATIONS[change.__name__] = Mutation(title, meaning, change)
        return change

    return added


def value_mutation(
    title: str, meaning: Meaning = "other"
) -> Callable[[ChangeOfValue], ChangeOfValue]:
    """Return a decorator that registers a function as a mutation of one scored argument value.

    The decorated function returns the changed value, or UNSET if it cannot change the value.
    """

    def added(change: ChangeOfValue) -> ChangeOfValue:
        def changed(subject: Subject, draw: Random) -> Changed:
            return with_value(subject, draw, change)

        MUTATIONS[change.__name__] = Mutation(title, meaning, changed)
        return change

    return added


@mutation("gold unchanged", "same")
def gold(subject: Subject, draw: Random) -> Changed:
    """Return the gold output unchanged."""
    return subject.output(subject.gold_calls)


@mutation("gold as a text in the form of the published prompt", "same")
def gold_text(subject: Subject, draw: Random) -> Changed:
    """Return the gold output as text in the form in which a model would reply."""
    return subject.benchmark.text_of(subject.sample, subject.gold_calls)


@mutation("all labels renumbered, also in references", "same")
def labels_renumbered(subject: Subject, draw: Random) -> Changed:
    """Give new numbers to the labels of all calls, and to the references that use these labels."""
    output = subject.output(subject.gold_calls)
    return subject.benchmark.relabelled(subject.sample, output)


@mutation("the arguments of every call in reverse order", "same")
def arguments_reordered(subject: Subject, draw: Random) -> Changed:
    """Reverse the order of the arguments of every call."""
    if all(len(call.arguments) < 2 for call in subject.gold_calls):
        return msgspec.UNSET
    reordered = [replace(call, arguments=call.arguments[::-1]) for call in subject.gold_calls]
    return subject.output(reordered)


@mutation("two independent calls, exchanged", "same")
def calls_reordered(subject: Subject, draw: Random) -> Changed:
    """Exchange two adjacent calls, neither of which uses the result of the other."""
    candidates = [
        at
        for at in range(subject.first, len(subject.calls) - 1)
        if subject.calls[at] != subject.calls[at + 1]
        and all(ref.step != at for ref in refs_of([subject.calls[at + 1]]))
    ]
    if not candidates:
        return msgspec.UNSET
    at = draw.choice(candidates)
    other = {at: at + 1, at + 1: at}
    reordered = [renumbered(call, lambda step: other.get(step, step)) for call in subject.calls]
    reordered[at], reordered[at + 1] = reordered[at + 1], reordered[at]
    return subject.output(reordered[subject.first :])


@value_mutation("a number with the decimal point added or removed", "same")
def numbers_respelled(value: Value) -> ChangedValue:
    """Write a number in another spelling, such as `4.0` for `4`."""
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) >= _EXACT:
        return msgspec.UNSET
    if isinstance(value, int):
        return float(value)
    return int(value) if value.is_integer() else msgspec.UNSET


@mutation("an empty answer", "nothing")
def empty(subject: Subject, draw: Random) -> Changed:
    """Return an empty text as the output."""
    return ""


@mutation("the text of gold, cut in the middle of its last call", "nothing")
def cut_off(subject: Subject, draw: Random) -> Changed:
    """Return the first two thirds of the gold output's text."""
    text = subject.benchmark.text_of(subject.sample, subject.gold_calls)
    if len(text) < SHORTEST:
        return msgspec.UNSET
    return text[: len(text) * 2 // 3]


@mutation("the gold of another sample")
def shuffled(subject: Subject, draw: Random) -> Changed:
    """Return the gold output of another sample, unless it equals the gold output of this sample."""
    calls, first = requested_calls(subject.other)
    mine = subject.output(subject.gold_calls)
    theirs = subject.benchmark.output_of(subject.other, calls[first:])
    same = mine == theirs or _scored_arguments(subject, subject.gold_calls) == _scored_arguments(
        subject, calls[first:]
    )
    return msgspec.UNSET if same else theirs


@mutation("gold without one call, whose result no other call uses")
def call_dropped(subject: Subject, draw: Random) -> Changed:
    """Remove one call whose result no other call uses."""
    used = {ref.step for ref in refs_of(subject.calls)}
    candidates = [at for at in subject.expected_indices if at not in used]
    if not candidates:
        return msgspec.UNSET
    dropped = draw.choice(candidates)
    remaining_calls = [
        renumbered(call, lambda step: step - (step > dropped))
        for at, call in enumerate(subject.calls)
        if at >= subject.first and at != dropped
    ]
    return subject.output(remaining_calls)


@mutation("the last call repeated")
def call_doubled(subject: Subject, draw: Random) -> Changed:
    """Append a copy of the last call."""
    if not subject.gold_calls:
        return msgspec.UNSET
    return subject.output((*subject.gold_calls, subject.gold_calls[-1]))


@mutation("one call with another name")
def call_renamed(subject: Subject, draw: Random) -> Changed:
    """Rename the API of one call to a name that no API has."""
    if subject.first == len(subject.calls):
        return msgspec.UNSET
    at = draw.choice(subject.expected_indices)
    return subject.output_with(at, api=subject.calls[at].api + NAME_SUFFIX)


@mutation("a reference to another call of the same API")
def other_producer(subject: Subject, draw: Random) -> Changed:
    """Point one reference to another call, of the same API but with other arguments."""
    candidates = [
        (at, argument, other)
        for at in subject.expected_indices
        for argument, call_argument in enumerate(subject.calls[at].arguments)
        if isinstance(call_argument.value, Ref)
        for other in range(at)
        if other != call_argument.value.step
        and _is_like(subject.calls[other], subject.calls[call_argument.value.step])
    ]
    if not candidates:
        return msgspec.UNSET
    at, argument, other = draw.choice(candidates)
    arguments = list(subject.calls[at].arguments)
    value = arguments[argument].value
    if isinstance(value, Ref):
        arguments[argument] = replace(arguments[argument], value=replace(value, step=other))
    return subject.output_with(at, arguments=tuple(arguments))


@mutation("gold without one argument")
def argument_dropped(subject: Subject, draw: Random) -> Changed:
    """Remove one argument that a metric depends on."""
    candidates = [at for at in subject.expected_indices if subject.scored(at)]
    if not candidates:
        return msgspec.UNSET
    index = draw.choice(candidates)
    remaining_arguments = list(subject.calls[index].arguments)
    remaining_arguments.pop(draw.choice(subject.scored(index)))
    return subject.output_with(index, arguments=tuple(remaining_arguments))


@mutation("one additional argument, with a name that the API does not declare")
def extra_argument(subject: Subject, draw: Random) -> Changed:
    """Add an argument whose name the API does not declare to one call."""
    if subject.first == len(subject.calls):
        return msgspec.UNSET
    at = draw.choice(subject.expected_indices)
    return subject.output_with(
        at, arguments=(*subject.calls[at].arguments, Argument(INVENTED, "1"))
    )


@mutation("the values of two arguments of a call, exchanged")
def values_swapped(subject: Subject, draw: Random) -> Changed:
    """Exchange the different values of two arguments of one call."""
    pairs = [
        (at, first_index, two)
        for at in subject.expected_indices
        for first_index, two in combinations(subject.scored(at), 2)
        if subject.calls[at].arguments[first_index].value != subject.calls[at].arguments[two].value
    ]
    if not pairs:
        return msgspec.UNSET
    at, first_index, two = draw.choice(pairs)
    arguments = list(subject.calls[at].arguments)
    first, second = arguments[first_index], arguments[two]
    arguments[first_index] = replace(first, value=second.value, supplied=second.supplied)
    arguments[two] = replace(second, value=first.value, supplied=first.supplied)
    return subject.output_with(at, arguments=tuple(arguments))


@value_mutation("an empty text in place of one value")
def value_blanked(value: Value) -> ChangedValue:
    """Replace a value with an empty text."""
    return "" if isinstance(value, str | int | float) and value != "" else msgspec.UNSET


@value_mutation("a text replaced by its first letter")
def value_cut(value: Value) -> ChangedValue:
    """Cut a text to its first letter."""
    return value[0] if isinstance(value, str) and len(value) > 1 else msgspec.UNSET


@value_mutation("a value wrapped in an object")
def wrong_type(value: Value) -> ChangedValue:
    """Replace a value with an object that contains the value."""
    return {"value": value} if isinstance(value, str | int | float) else msgspec.UNSET


def _scored_arguments(
    subject: Subject, calls: Sequence[Call]
) -> list[tuple[str, str, list[Argument]]]:
    return [
        (
            call.app,
            call.api,
            [each for each in call.arguments if subject.benchmark.is_scored(subject.sample, each)],
        )
        for call in calls
    ]


def _is_like(call: Call, other: Call) -> bool:
    return (call.app, call.api) == (other.app, other.api) and call.arguments != other.arguments
