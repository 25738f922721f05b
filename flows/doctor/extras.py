"""A check that the extras of the package and the weights of the local model are installed."""

import re
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, requires, version

from flows.doctor.base import Finding, Needs, finding

_PACKAGE = "benchloom"
_REQUIREMENT = re.compile(r"([\w.-]+)(?:\[([\w,-]+)\])?.*;.*extra == ['\"]([\w-]+)['\"]")
_OF_NO_COMMAND = {"all", "dev"}
_SERVES = {
    "browser": "crawling sites whose pages need a browser",
    "cluster": '[engine] kind = "dask"',
    "cross-check": "parse shortcuts --cross-check",
    "evaluate": "evaluate run",
    "explore": "explore, review",
    "hub": "publishing to the Hugging Face Hub",
    "llm": "requests to models: generate, evaluate run",
    "local": "a model on this machine, without a key",
    "panels": "calibrate",
    "s3": "inputs and targets in object stores; inputs at https:// addresses",
    "serve": "world serve",
    "sign": "release sign, release check --key",
    "vectors": "search by sentence vectors",
}


def look(needs: Needs) -> Iterator[Finding]:
    """Check that the packages of each extra, and the weights of the local model, are installed.

    The packages are not imported.
    """
    from prompts.endpoint.local import INSTALL, can_run_locally

    declared = packages_of_extras()
    for extra in sorted(declared.keys() | needs.extras.keys()):
        lacking = [name for name in declared.get(extra, ()) if not _is_installed(name)]
        fault = f"without {', '.join(lacking) or 'its packages'}"
        key = needs.extras.get(extra)
        serves = _SERVES.get(extra, f"commands that need the extra '{extra}'")
        yield finding(
            f"extra {extra}",
            serves + (f"; {key} in {needs.file}" if key else ""),
            ok="installed",
            fault=fault if lacking or extra not in declared else None,
            mend=f"pip install '{_PACKAGE}[{extra}]'",
            missing=True,
            needed=key is not None,
        )
    yield finding(
        "weights",
        "generate --model local, unless you pass a model file",
        ok="installed, and so is llama.cpp",
        fault=None if can_run_locally() else "the weights or llama.cpp are missing",
        mend=f"pip install 'benchloom[local]' && {INSTALL}",
        missing=True,
        needed=needs.weights is not None,
    )


def packages_of_extras() -> Mapping[str, tuple[str, ...]]:
    """Return a mapping from each extra to its packages, also those of extras that it includes."""
    try:
        lines = requires(_PACKAGE) or []
    except PackageNotFoundError:  # started from a folder without being installed
        return {}
    packages: dict[str, list[str]] = {}
    contained: dict[str, list[str]] = {}
    for match in filter(None, map(_REQUIREMENT.match, lines)):
        name, extras, extra = match.groups()
        if extra in _OF_NO_COMMAND:
            continue
        packages.setdefault(extra, [])
        contained.setdefault(extra, [])
        if name == _PACKAGE:
            contained[extra] += extras.split(",")
        else:
            packages[extra].append(name)
    return {
        extra: (*names, *(name for included in contained[extra] for name in packages[included]))
        for extra, names in packages.items()
    }


def _is_installed(package: str) -> bool:
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True
