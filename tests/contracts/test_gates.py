"""Every gate over a sound release: no finding, and nothing is changed.

That each finds the faults it is there for is shown in `tests/flows/releases/test_gates.py`.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from benchloom.core.errors import GateError
from benchloom.release import check_release, read_manifest
from benchloom.release.gates import GATES, AnyGate, gate_findings, view_gate
from tests.support.folders import contents
from tests.support.samples.small_release import small_release


def said_of(gate: AnyGate, release: Path) -> list[str]:
    return list(gate_findings(gate, view_gate(release, read_manifest(release))))


@pytest.fixture(scope="session")
def sound_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_release(tmp_path_factory.mktemp("sound"))


def has_nothing_against_a_sound_release(gate: AnyGate, release: Path) -> None:
    assert said_of(gate, release) == []


def changes_nothing(gate: AnyGate, release: Path) -> None:
    before = contents(release)
    assert said_of(gate, release) == said_of(gate, release)
    assert contents(release) == before


def names_the_fault(gate: AnyGate, forged: Path, told: str) -> None:
    """Check that a gate reports the fault that it is for, alone and in `check_release`."""
    assert any(told in finding for finding in said_of(gate, forged))
    with pytest.raises(GateError) as caught:
        check_release(forged)
    assert any(told in finding for finding in caught.value.findings)


SUITE = (has_nothing_against_a_sound_release, changes_nothing)


@pytest.mark.parametrize("claim", SUITE)
@pytest.mark.parametrize("name", GATES.names())
def test_contract(name: str, claim: Callable[[AnyGate, Path], None], sound_release: Path) -> None:
    claim(GATES.find(name), sound_release)
