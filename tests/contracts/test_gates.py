"""Check that every gate accepts a sound release and changes nothing.

`tests/flows/releases/test_gates.py` checks that each gate finds its faults.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from benchloom.core.errors import GateError
from benchloom.release import check_release, read_manifest
from benchloom.release.gates import GATES, AnyGate, gate_findings, view_gate
from tests.support.folders import contents
from tests.support.samples.small_release import small_release


def run_gate(gate: AnyGate, release: Path) -> list[str]:
    return list(gate_findings(gate, view_gate(release, read_manifest(release))))


@pytest.fixture(scope="session")
def sound_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_release(tmp_path_factory.mktemp("sound"))


def accepts_a_sound_release(gate: AnyGate, release: Path) -> None:
    assert run_gate(gate, release) == []


def changes_no_file_and_repeats_its_findings(gate: AnyGate, release: Path) -> None:
    before = contents(release)
    assert run_gate(gate, release) == run_gate(gate, release)
    assert contents(release) == before


def reports_the_fault(gate: AnyGate, forged: Path, expected_text: str) -> None:
    """Check that a gate reports a forged fault, alone and within `check_release`."""
    assert any(expected_text in finding for finding in run_gate(gate, forged))
    with pytest.raises(GateError) as caught:
        check_release(forged)
    assert any(expected_text in finding for finding in caught.value.findings)


SUITE = (accepts_a_sound_release, changes_no_file_and_repeats_its_findings)


@pytest.mark.parametrize("claim", SUITE)
@pytest.mark.parametrize("name", GATES.names())
def test_contract(name: str, claim: Callable[[AnyGate, Path], None], sound_release: Path) -> None:
    claim(GATES.find(name), sound_release)
