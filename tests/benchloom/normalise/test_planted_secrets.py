"""Tests of redaction on labelled secrets and harmless texts; half were never used for tuning."""

import pytest

from tests.support.planted.kinds import KINDS, Half
from tests.support.planted.measure import Figures, measure, planted_secrets
from tests.support.planted.places import PLACES

MAX_RELEASED = 0.03
MAX_CHANGED = 0.01
PROSE = "prose"
"""The place in which a secret may be missed: the middle of a sentence."""


@pytest.fixture(scope="module", params=["tuning", "held_out"])
def figures(request: pytest.FixtureRequest) -> Figures:
    """The measured redaction of one half of the labelled texts."""
    half: Half = request.param
    return measure(half)


def test_at_most_three_percent_of_secrets_are_released(figures: Figures) -> None:
    released = [secret for secret in figures.released if secret.place != PROSE]
    assert len(released) <= MAX_RELEASED * figures.planted, (
        figures.by_kind(),
        figures.by_place(),
    )


def test_at_most_one_percent_of_harmless_texts_change(figures: Figures) -> None:
    assert len(figures.changed) <= MAX_CHANGED * figures.harmless


def test_halves_are_large_and_share_no_kind() -> None:
    halves: list[Half] = ["tuning", "held_out"]
    kinds = [{kind.name for kind in KINDS if kind.half == half} for half in halves]
    assert not kinds[0] & kinds[1]
    for half in halves:
        secrets = planted_secrets(half)
        assert len(secrets) >= 400
        assert {secret.place for secret in secrets} == {location.name for location in PLACES}
        assert len({part for secret in secrets for part in secret.parts}) >= 400
