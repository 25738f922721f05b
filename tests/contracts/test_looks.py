"""Check every look of the doctor: findings have a purpose and a remedy, and nothing changes."""

import os
import tempfile
from pathlib import Path

import pytest

from flows.doctor import LOOKS
from flows.doctor.base import Finding, Look, Needs

SECRET = "not-to-be-told-0123456789"


def run_look(look: Look, folder: Path) -> list[Finding]:
    """Run a look for a configuration that needs everything, and return its findings."""
    needs = Needs(
        folder / "workspace" / "deep",
        file=folder / "rebuild.toml",
        extras={"browser": "crawl.sites", "hub": "publish.targets"},
        variables={"HF_TOKEN": "publish.targets"},
        weights="generate.writer",
        faults=1,
    )
    return list(look.look(needs))


def names_purpose_and_remedy(look: Look, folder: Path) -> None:
    findings = run_look(look, folder)
    assert findings
    assert len({finding.name for finding in findings}) == len(findings)
    for finding in findings:
        assert finding.told
        assert finding.serves
        assert (finding.mend is None) == (finding.state == "ok")
        assert "\n" not in finding.told + finding.serves + (finding.mend or "")


def needs_nothing_without_a_configuration(look: Look, folder: Path) -> None:
    """Check that no finding is needed if there is no configuration."""
    assert not any(finding.needed for finding in look.look(Needs(folder)))


def changes_no_file_or_variable(look: Look, folder: Path) -> None:
    before, environment = sorted(folder.rglob("*")), dict(os.environ)
    run_look(look, folder)
    assert sorted(folder.rglob("*")) == before
    assert dict(os.environ) == environment


SUITE = (
    names_purpose_and_remedy,
    needs_nothing_without_a_configuration,
    changes_no_file_or_variable,
)


@pytest.mark.parametrize("name", LOOKS.names())
def test_contract(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", SECRET)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    for claim in SUITE:
        claim(LOOKS.find(name), tmp_path)
    assert SECRET not in repr(run_look(LOOKS.find(name), tmp_path))
