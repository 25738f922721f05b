"""Generates the reference pages about the package `benchloom` from its docstrings."""

from collections.abc import Mapping

from docs.members import KINDS, KindPage

TITLE = "Reference"
_INDEX = """# Reference of the core

These pages describe the functions and classes of the package `benchloom` that other programs may
use, and on which members are built. A name that is not described here may change without notice.

| page | holds |
|---|---|
{rows}
| [members](members.md) | The interface of each kind of member, and the names of its members. |
"""
_MEMBERS = """# Members

A member is one module of a folder, such as the adapter of a site or an export format. This page
describes the interface of each kind of member. [Add a member](../adding.md) explains where the
file, the sample and the test of a new member go."""
_PAGES = {
    "records": ("The typed rows of every table.", ("benchloom.core.records",)),
    "identity": ("Tagged digests, the only form of identity.", ("benchloom.core.identity",)),
    "kinds": ("Members that are found by walking a folder.", ("benchloom.core.kinds",)),
    "tables": ("Definitions of tables, reading and writing them.", ("benchloom.storage.tables",)),
    "workspace": (
        "Files and stage folders that are complete or absent.",
        ("benchloom.storage.workspace",),
    ),
    "plans": (
        "Rules for every plan.",
        (
            "benchloom.normalise.plans.assembly",
            "benchloom.normalise.plans.gate",
            "benchloom.normalise.plans.selection",
            "benchloom.normalise.plans.statistics",
        ),
    ),
    "release": (
        "Building, checking, comparing, signing and publishing releases.",
        (
            "benchloom.release",
            "benchloom.release.diff",
            "benchloom.release.signing",
            "benchloom.release.publication",
        ),
    ),
    "formats": ("Formats of exports.", ("benchloom.exchange.formats",)),
    "errors": ("The tree of errors and their exit codes.", ("benchloom.core.errors",)),
}


def pages() -> Mapping[str, str]:
    """Return an overview and the pages of the reference, as a mapping from paths to texts."""
    rows = "\n".join(
        f"| [{name}]({name}.md) | {description} |" for name, (description, _) in _PAGES.items()
    )
    texts_by_path = {"reference/index.md": _INDEX.format(rows=rows)}
    for name, (_, modules) in _PAGES.items():
        documented = "\n\n".join(f"::: {module}" for module in modules)
        texts_by_path[f"reference/{name}.md"] = f"# {name.capitalize()}\n\n{documented}\n"
    texts_by_path["reference/members.md"] = "\n\n".join([_MEMBERS, *map(_of_kind, KINDS)]) + "\n"
    return texts_by_path


def _of_kind(page: KindPage) -> str:
    kind = page.kind()
    names = ", ".join(f"`{name}`" for name in kind.names())
    documented = "\n\n".join(
        f"::: {offered}\n    options: {{heading_level: 3}}" for offered in page.offers
    )
    return f"## {kind.word.capitalize()}\n\nIn `{kind.package}`: {names}.\n\n{documented}"
