"""Every look of the doctor: lines with their purpose and what mends them; nothing is changed."""

import os
import tempfile
from pathlib import Path

import pytest

from flows.doctor import LOOKS
from flows.doctor.base import Finding, Look, Needs

SECRET = "not-to-be-told-0123456789"


def found_by(look: Look, folder: Path) -> list[Finding]:
    """Findings of a check of this machine for a configuration that needs everything."""
    needs = Needs(
        folder / "workspace" / "deep",
        file=folder / "rebuild.toml",
        extras={"browser": "crawl.sites", "hub": "publish.targets"},
        variables={"HF_TOKEN": "publish.targets"},
        weights="generate.writer",
        faults=1,
    )
    return list(look.look(needs))


def tells_purpose_and_remedy(look: Look, folder: Path) -> None:
    findings = found_by(look, folder)
    assert findings
    assert len({finding.name for finding in findings}) == len(findings)
    for finding in findings:
        assert finding.told
        assert finding.serves
        assert (finding.mend is None) == (finding.state == "ok")
        assert "\n" not in finding.told + finding.serves + (finding.mend or "")


def finds_the_same_without_a_configuration(look: Look, folder: Path) -> None:
    """Nothing is needed then, whatever is missing."""
    assert not any(finding.needed for finding in look.look(Needs(folder)))


def changes_nothing(look: Look, folder: Path) -> None:
    before, environment = sorted(folder.rglob("*")), dict(os.environ)
    found_by(look, folder)
    assert sorted(folder.rglob("*")) == before
    assert dict(os.environ) == environment


SUITE = (tells_purpose_and_remedy, finds_the_same_without_a_configuration, changes_nothing)


@pytest.mark.parametrize("name", LOOKS.names())
def test_contract(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", SECRET)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    for claim in SUITE:
        claim(LOOKS.find(name), tmp_path)
    assert SECRET not in repr(found_by(LOOKS.find(name), tmp_path))
