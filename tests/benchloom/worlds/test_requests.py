"""Check that generated requests fit their calls and depend only on the seed."""

import string
from itertools import islice

import pytest

from benchloom.core.errors import RejectedInputError
from benchloom.worlds.everyday import everyday
from benchloom.worlds.proofs import OpenWorlds, prove
from benchloom.worlds.proofs.parameters import parameters_of
from benchloom.worlds.requests.wants import Named, Want
from benchloom.worlds.suites.everyday import candidates
from benchloom.worlds.suites.everyday.requests import REQUESTS

_WANTS = [
    pytest.param(want, id=f"{app}-{number}")
    for app, requests in REQUESTS.all().items()
    for number, want in enumerate(requests.wants)
]


def _placeholders(text: str) -> set[str]:
    """Return the names of the placeholders in a text."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("want", _WANTS)
def test_request_text_has_a_placeholder_for_every_argument(want: Want) -> None:
    tool = everyday().tools[want.tool]
    parameters = parameters_of(tool)
    assert not tool.reads
    assert set(want.take) <= set(parameters)
    assert {name for name, parameter in parameters.items() if parameter.required} <= set(want.take)
    assert _placeholders(want.text) == set(want.take)
    assert set(want.first) == _placeholders(want.otherwise) <= set(want.take)


def test_named_objects_are_found_by_read_only_tools() -> None:
    pending = [
        source
        for requests in REQUESTS.all().values()
        for source in (
            *(
                want_source
                for want in requests.wants
                for want_source in (*want.take.values(), *want.first.values())
            ),
            *(question.about for question in requests.questions),
        )
    ]
    while pending:
        source = pending.pop()
        if isinstance(source, Named):
            tool = everyday().tools[source.tool]
            assert tool.reads
            argument_names = {*source.by, *([source.query] if source.name else [])}
            assert argument_names | set(source.listing) <= set(parameters_of(tool))
            assert _placeholders(source.text) <= {*source.by, "name"}
            pending += source.by.values()


def test_equal_seeds_give_equal_requests() -> None:
    first, second = (list(islice(candidates((), 3), 4)) for _ in range(2))
    assert first == second
    other = list(islice(candidates((), 4), 4))
    assert {candidate.turns for candidate in first}.isdisjoint(
        {candidate.turns for candidate in other}
    )


def test_most_generated_requests_pass_every_proof() -> None:
    open_worlds = OpenWorlds()
    reasons = []
    for candidate in islice(candidates((), 0), 30):
        assert candidate.turns[0][0].isupper()
        assert candidate.turns[0].rstrip('"')[-1] in "?."
        assert not _placeholders(candidate.turns[0])
        try:
            task = prove(candidate, open_worlds, distractors=5)
        except RejectedInputError as error:
            reasons.append(error.reason)
        else:
            accepted_calls = [call for call in task.calls if call.refused is None]
            assert not any(call.redundant or call.idle for call in accepted_calls)
            assert all(call.redundant for call in task.calls if call.refused is not None)
    open_worlds.close()
    assert set(reasons) <= {"redundant_call", "no_need", "idle_argument"}
    assert len(reasons) < 15
