"""Settings that pyproject.toml cannot express: the folder of tables has the name of a package.

`datasets/` of the checkout becomes `benchloom/storage/tables/definitions/` of the wheel, so that
nothing is ever put into the package `datasets` of Hugging Face.
"""

from setuptools import find_packages, setup

_OURS = ("benchloom", "demo", "flows", "parsers", "prompts", "scrapers")
_PATTERNS = [f"{name}{end}" for name in _OURS for end in ("", ".*")]
_TABLES = "benchloom.storage.tables.definitions"

setup(
    packages=[*find_packages(include=_PATTERNS), _TABLES],
    package_dir={_TABLES: "datasets"},
)
