"""`benchloom doctor`: what is missing is told, and counts where a configuration needs it."""

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
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine without a browser and without secrets."""
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("HF_TOKEN", "OPENAI_API_KEY", "REDDIT_CLIENT_SECRET", "PREFECT_API_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def asked(*words: str) -> tuple[DoctorSummary, BaseException | None]:
    done = CliRunner().invoke(build_app(), ["doctor", "--json", *words])
    return msgspec.json.decode(done.output, type=DoctorSummary), done.exception


def test_what_is_missing_counts_only_where_it_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "_installed", lambda name: name != "huggingface_hub")
    found, fault = asked()
    states = {one.name: one.state for one in found.findings}
    assert states["Chromium"] == states["extra hub"] == "missing"
    assert (found.lacking, fault) == ((), None)
    file = tmp_path / "rebuild.toml"
    file.write_text(
        '[sources]\nshortcuts = ["."]\n[crawl]\nsites = ["sspai"]\nbrowser_sites = ["sspai"]\n'
        '[publish]\ntargets = ["hf://datasets/a/b"]\n'
    )
    found, fault = asked()
    assert found.lacking == ("Chromium", "extra hub", "HF_TOKEN")
    assert isinstance(fault, RunError)
    assert str(fault) == "rebuild.toml needs what is not here: Chromium, extra hub, HF_TOKEN"
    told = {one.name: one for one in found.findings}
    assert told["extra hub"].mend == "pip install 'benchloom[hub]'"
    assert told["extra hub"].told == "without huggingface_hub"
    assert told["HF_TOKEN"].mend == "export HF_TOKEN=..."
    monkeypatch.setenv("HF_TOKEN", SECRET)
    shown = CliRunner().invoke(build_app(), ["doctor", "--all"])
    assert SECRET not in shown.output
    assert "ok       HF_TOKEN" in shown.output
    assert "(needed)" in shown.output


def test_every_extra_is_looked_at_with_its_packages() -> None:
    declared = set(metadata.metadata("benchloom").get_all("Provides-Extra") or ())
    found = extras.packages_of_extras()
    assert set(found) == declared - {"all", "dev"}
    assert found["local"] == ("xllamacpp", *found["llm"])
    assert all(found.values())
    assert set(extras._SERVES) == set(found), "say what a new extra is for"


def test_a_faulty_configuration_is_a_finding(tmp_path: Path) -> None:
    file = tmp_path / "odd.toml"
    file.write_text('workers = 0\n[generate]\nwriter = "local"\nsteps = ["query"]\n')
    found, fault = asked("--config", str(file))
    assert found.lacking[-1] == str(file) or str(file) in found.lacking
    assert isinstance(fault, RunError)
    with pytest.raises(RunError, match="no such configuration file"):
        needs_of(tmp_path / "gone.toml", tmp_path)


def test_what_the_demo_needs_is_nothing_that_costs() -> None:
    needs = needs_of(DEMO / "rebuild.toml", Path())
    assert not needs.extras
    assert not needs.variables
    assert needs.weights is None


def test_a_server_may_hold_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    needs = Needs(Path(), file=Path("rebuild.toml"), variables={"HF_TOKEN": "publish.targets"})
    (found,) = (one for one in look_at_variables(needs) if one.name == "HF_TOKEN")
    assert found.needed
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:1/api")
    (found,) = (one for one in look_at_variables(needs) if one.name == "HF_TOKEN")
    assert not found.needed
    assert "benchloom-hf-token" in found.told


def test_a_browser_that_does_not_start(tmp_path: Path) -> None:
    for name in ("chromium", "chromedriver"):
        (tmp_path / name).write_text(f"#!{sys.executable}\nimport sys\nsys.exit(127)\n")
        (tmp_path / name).chmod(0o755)
    found, _ = asked()
    (browser,) = (one for one in found.findings if one.name == "Chromium")
    assert browser.state == "fault"
    assert browser.told.endswith("chromium ends with 127 and shows no page")


def test_a_disk_that_is_full_and_loopback_that_is_shut(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> socket.socket:
        raise OSError(99, "Cannot assign requested address")

    monkeypatch.setattr(socket, "create_server", refuse)
    (found,) = port.look(Needs(Path(), file=Path("rebuild.toml")))
    assert (found.state, found.needed) == ("fault", True)
    assert found.told == "127.0.0.1: Cannot assign requested address"


def test_memory_is_a_number_of_bytes() -> None:
    free = memory.free_memory()
    assert free is None or 1 << 20 < free < 1 << 60


def test_lines_are_short_where_all_is_well() -> None:
    shown = CliRunner().invoke(build_app(), ["doctor"]).output
    told = next(line for line in shown.splitlines() if "Python" in line)
    assert told.split()[:2] == ["ok", "Python"]
    assert Finding(name="x", state="ok", told="", serves="y").mend is None
