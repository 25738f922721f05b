"""Check that `benchloom doctor` reports missing parts and fails only if they are needed."""

import socket
import sys
from importlib import metadata
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from benchloom.core.errors import RunError
from flows.cli import build_app
from flows.commands.doctor import DoctorSummary
from flows.doctor import extras, memory, port
from flows.doctor.base import Finding, Needs
from flows.doctor.needs import needs_of
from flows.doctor.variables import look as look_at_variables
from tests.support.demo_world import DEMO

SECRET = "hf_not_to_be_told_0123456789"


@pytest.fixture(autouse=True)
def bare_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Remove the browser and all secrets from the environment."""
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("HF_TOKEN", "OPENAI_API_KEY", "REDDIT_CLIENT_SECRET", "PREFECT_API_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def run_doctor(*words: str) -> tuple[DoctorSummary, BaseException | None]:
    done = CliRunner().invoke(build_app(), ["doctor", "--json", *words])
    return msgspec.json.decode(done.output, type=DoctorSummary), done.exception


def test_missing_parts_fail_only_if_the_configuration_needs_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "_is_installed", lambda name: name != "huggingface_hub")
    report, fault = run_doctor()
    states = {finding.name: finding.state for finding in report.findings}
    assert states["Chromium"] == states["extra hub"] == "missing"
    assert (report.lacking, fault) == ((), None)
    file = tmp_path / "rebuild.toml"
    file.write_text(
        '[sources]\nshortcuts = ["."]\n[crawl]\nsites = ["sspai"]\nbrowser_sites = ["sspai"]\n'
        '[publish]\ntargets = ["hf://datasets/a/b"]\n'
    )
    report, fault = run_doctor()
    assert report.lacking == ("Chromium", "extra hub", "HF_TOKEN")
    assert isinstance(fault, RunError)
    assert (
        str(fault) == "rebuild.toml needs packages or programs that this machine lacks: "
        "Chromium, extra hub, HF_TOKEN"
    )
    findings_by_name = {finding.name: finding for finding in report.findings}
    assert findings_by_name["extra hub"].mend == "pip install 'benchloom[hub]'"
    assert findings_by_name["extra hub"].told == "without huggingface_hub"
    assert findings_by_name["HF_TOKEN"].mend == "export HF_TOKEN=..."
    monkeypatch.setenv("HF_TOKEN", SECRET)
    doctor_result = CliRunner().invoke(build_app(), ["doctor", "--all"])
    assert SECRET not in doctor_result.output
    assert "ok       HF_TOKEN" in doctor_result.output
    assert "(needed)" in doctor_result.output


def test_every_extra_is_checked_with_its_packages() -> None:
    declared = set(metadata.metadata("benchloom").get_all("Provides-Extra") or ())
    packages_by_extra = extras.packages_of_extras()
    assert set(packages_by_extra) == declared - {"all", "dev"}
    assert packages_by_extra["local"] == ("xllamacpp", *packages_by_extra["llm"])
    assert all(packages_by_extra.values())
    assert set(extras._SERVES) == set(packages_by_extra), "say what a new extra is for"


def test_invalid_configuration_is_a_finding(tmp_path: Path) -> None:
    file = tmp_path / "odd.toml"
    file.write_text('workers = 0\n[generate]\nwriter = "local"\nsteps = ["query"]\n')
    report, fault = run_doctor("--config", str(file))
    assert report.lacking[-1] == str(file) or str(file) in report.lacking
    assert isinstance(fault, RunError)
    with pytest.raises(RunError, match="no such configuration file"):
        needs_of(tmp_path / "gone.toml", tmp_path)


def test_demo_needs_no_extras_secrets_or_weights() -> None:
    needs = needs_of(DEMO / "rebuild.toml", Path())
    assert not needs.extras
    assert not needs.variables
    assert needs.weights is None


def test_secret_may_be_stored_in_a_prefect_server(monkeypatch: pytest.MonkeyPatch) -> None:
    needs = Needs(Path(), file=Path("rebuild.toml"), variables={"HF_TOKEN": "publish.targets"})
    (variable_finding,) = (
        finding for finding in look_at_variables(needs) if finding.name == "HF_TOKEN"
    )
    assert variable_finding.needed
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:1/api")
    (variable_finding,) = (
        finding for finding in look_at_variables(needs) if finding.name == "HF_TOKEN"
    )
    assert not variable_finding.needed
    assert "benchloom-hf-token" in variable_finding.told


def test_browser_that_fails_to_start_is_a_fault(tmp_path: Path) -> None:
    for name in ("chromium", "chromedriver"):
        (tmp_path / name).write_text(f"#!{sys.executable}\nimport sys\nsys.exit(127)\n")
        (tmp_path / name).chmod(0o755)
    report, _ = run_doctor()
    (browser,) = (finding for finding in report.findings if finding.name == "Chromium")
    assert browser.state == "fault"
    assert browser.told.endswith("chromium ended with exit code 127 without showing a page")


def test_unavailable_loopback_port_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> socket.socket:
        raise OSError(99, "Cannot assign requested address")

    monkeypatch.setattr(socket, "create_server", refuse)
    (port_finding,) = port.look(Needs(Path(), file=Path("rebuild.toml")))
    assert (port_finding.state, port_finding.needed) == ("fault", True)
    assert port_finding.told == "127.0.0.1: Cannot assign requested address"


def test_free_memory_is_measured_in_bytes() -> None:
    free = memory.free_memory()
    assert free is None or 1 << 20 < free < 1 << 60


def test_available_parts_are_short_lines() -> None:
    output = CliRunner().invoke(build_app(), ["doctor"]).output
    python_line = next(line for line in output.splitlines() if "Python" in line)
    assert python_line.split()[:2] == ["ok", "Python"]
    assert Finding(name="x", state="ok", told="", serves="y").mend is None
