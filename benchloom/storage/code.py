"""Compute digests of our own code. Cached results are valid only for the code that computed them.

Every change to a line, table definition or template makes all cached results invalid, because
nothing tracks which rows a line determines. The log of paid model replies remains valid.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from benchloom.core.data_files import tables_folder
from benchloom.core.errors import RunError
from benchloom.core.identity import digest_of_parts
from benchloom.storage.seals import file_digest, files_in

PACKAGES = ("benchloom", "flows", "parsers", "prompts", "scrapers")
DISTRIBUTIONS = (
    "biplist",
    "bm25s",
    "bpe-openai",
    "jinja2",
    "lzfse",
    "markupsafe",
    "msgspec",
    "numpy",
    "phonenumberslite",
    "py3langid",
    "pyarrow",
    "python-stdnum",
    "pyyaml",
    "regex",
    "rensa",
    "selectolax",
    "sentencex",
    "snowballstemmer",
    "warcio",
    "webencodings",
    "wordllama",
)
"""Installed packages that determine the content of rows, documents and files."""
_WRITING = ("benchloom", "parsers", "prompts")
"""Those of our packages that determine the content of a release. Commands and crawlers do not."""
_COMPILED = frozenset({"__pycache__"})


def stage_key(stage: str, parts: Iterable[str]) -> str:
    """Compute the cache key of a pipeline stage.

    It depends on our code, the name of the stage, and its inputs and options, which are in `parts`.
    """
    return digest_of_parts("stage", [stage, code_digest(), *parts])


@cache
def code_digest() -> str:
    """Return a digest that changes when code that determines the content of tables changes.

    It covers our packages, the version of Python, and the versions of the packages in
    `DISTRIBUTIONS`.
    """
    python = ".".join(map(str, sys.version_info[:2]))
    return digest_of_parts("code", [python, *_versions(), *_files(PACKAGES)])


@cache
def release_code() -> str:
    """Return a digest of the code that determines a release. It is equal on all machines.

    `release check` compares it with the digest in a release: if they are equal, this code would
    write the same rows and documents.
    """
    return digest_of_parts("release_code", [*_versions(), *_files(_WRITING)])


def installed_version(distribution: str) -> str:
    """Return the version of an installed package, or "none" if it is not installed."""
    try:
        return version(distribution)
    except PackageNotFoundError:  # an extra that is not installed
        return "none"


def package_folder(package: str) -> Path:
    """Return the folder of one of our packages. Raises RunError if it has no source files."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise RunError(f"{package} is not installed as source files; install benchloom unpacked")
    return Path(spec.origin).parent


def _versions() -> Iterator[str]:
    for name in DISTRIBUTIONS:
        yield f"{name} {installed_version(name)}"


def _files(packages: Sequence[str]) -> Iterator[str]:
    tables = tables_folder()
    for name, folder in (*((name, package_folder(name)) for name in packages), ("tables", tables)):
        for path in files_in(folder, apart=_COMPILED):
            # Table definitions are inside an installed package; in a checkout they are beside it.
            is_table = name != "tables" and path.is_relative_to(tables)
            if path.suffix != ".pyc" and not is_table and path.is_file():
                yield f"{name}/{path.relative_to(folder).as_posix()} {file_digest(path)}"
