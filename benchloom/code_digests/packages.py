"""Our packages: code outside them is known by the versions of what is installed."""

from importlib.util import find_spec
from pathlib import Path

from benchloom.errors import RunError

PACKAGES = ("benchloom", "flows", "parsers", "prompts", "scrapers")


def package_folder(package: str) -> Path:
    """Where a package of ours is installed.

    Raises:
        RunError: it is not installed as source.
    """
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise RunError(f"the package {package} is not installed as source")
    return Path(spec.origin).parent
