"""The reference of the core, made from its docstrings."""

from collections.abc import Mapping

from docs.members import KINDS, KindPage

TITLE = "Reference"
_INDEX = """# Reference of the core

What people call from their own programs, and what members build on. Everything here is
`benchloom`, the core below fetching, parsing and prompting; a name that is not here may change
without a word.

| page | holds |
|---|---|
{rows}
| [members](members.md) | What each kind of member offers, and which there are. |
"""
_MEMBERS = """# Members

A member is one module; what it has to offer is said here, kind by kind.
[Add a member](../adding.md) says where its file, its sample and its test go."""
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
    """Return an overview and a page for every part of the core."""
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
