"""Redaction on labelled secrets and harmless texts, of which half were never used to tune it."""

import pytest

from tests.support.planted.kinds import KINDS, Half
from tests.support.planted.measure import Figures, measure, planted_secrets
from tests.support.planted.places import PLACES

MAX_RELEASED = 0.03
MAX_CHANGED = 0.01
PROSE = "prose"
"""In the middle of a sentence a secret may be missed."""


@pytest.fixture(scope="module", params=["tuning", "held_out"])
def figures(request: pytest.FixtureRequest) -> Figures:
    half: Half = request.param
    return measure(half)


def test_hardly_any_planted_secret_is_released(figures: Figures) -> None:
    released = [secret for secret in figures.released if secret.place != PROSE]
    assert len(released) <= MAX_RELEASED * figures.planted, (
        figures.by_kind(),
        figures.by_place(),
    )


def test_hardly_any_harmless_text_is_changed(figures: Figures) -> None:
    assert len(figures.changed) <= MAX_CHANGED * figures.harmless


def test_the_halves_are_large_and_apart() -> None:
    halves: list[Half] = ["tuning", "held_out"]
    kinds = [{kind.name for kind in KINDS if kind.half == half} for half in halves]
    assert not kinds[0] & kinds[1]
    for half in halves:
        secrets = planted_secrets(half)
        assert len(secrets) >= 400
        assert {secret.place for secret in secrets} == {location.name for location in PLACES}
        assert len({part for secret in secrets for part in secret.parts}) >= 400
