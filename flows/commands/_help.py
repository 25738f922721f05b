"""This module formats the help pages of commands and groups.

The text of a help page is the docstring of the command. Lines below `Examples:` are commands that
users can copy. An option in the panel `MORE` is listed only by `--help-all`, and options that every
command has share one line. A page has at most 30 lines on a terminal of 80 columns (a test checks
this). If an argument of a command is the name of a format, a site or the like, the page ends with a
list of all valid names.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from pkgutil import resolve_name
from types import MappingProxyType
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.models import CommandFunctionType

from benchloom.core.errors import RunError
from flows.console.output import verbosity

_WRONG = "wrong usage, configuration or input"
EXIT_CODES = (
    "Exit codes: 0 done; 1 nothing read, or a gate failed; 2 wrong usage or input; "
    "3 stopped by a budget or a site's refusal; 130 interrupted."
)
MORE = "More"
"""The name of the panel of options that only `--help-all` lists."""
rare = partial(typer.Option, rich_help_panel=MORE)
"""A `typer.Option` that only `--help-all` lists."""
WIDTH = 100
"""Maximum width of a page in columns, also on a wider terminal."""
HELP_ALL = "--help-all"
HELP_NAMES = ["-h", "--help"]
Names = str | Callable[[], Iterable[str]]
"""A function that returns names, or the import path of one, such as `prompts.steps:STEPS.names`."""
BENCHMARKS = {"Benchmarks": "benchloom.evaluate.benchmarks:BENCHMARKS.names"}
SITES = {"Sites": "scrapers.sites:SITES.names"}
SUITES = {"Suites": "benchloom.worlds.suites:SUITES.names"}
_EXAMPLES = re.compile(r"\n+Examples:\n")
_SHARED = {
    "--version": "-V, --version",
    "--json": "--json",
    "--workspace": "--workspace DIR",
    "--workers": "--workers N",
}
"""Options that nearly every command has; a help page lists them together on one line."""
_TYPES = {
    "<int>": "N",
    "<int range>": "N",
    "<float>": "X",
    "<float range>": "X",
    "<str>": "TEXT",
    "<path>": "PATH",
}
_RANGE = re.compile(r"; [-0-9.<=]*x[-0-9.<>=]*(?=\])|  \[[-0-9.<=]*x[-0-9.<>=]*\]")


class _Page:
    """A mixin that formats the help pages of Typer's commands and groups."""

    help: str | None
    epilog: str | None
    params: list[Any]
    lists: Mapping[str, Names] = MappingProxyType({})

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Apply and remove `--help-all` and options for verbosity, then parse the other words."""
        if HELP_ALL in args:
            ctx.meta[HELP_ALL] = True
            args = ["--help" if word == HELP_ALL else word for word in args]
        if ctx.parent is None:
            verbosity.reset()
        rest: list[str] = super().parse_args(ctx, verbosity.read_options(args))  # type: ignore[misc]  # mypy does not know the base class of a mixin
        if "" in args and "." not in args:
            self._refuse_empty_paths(ctx)
        return rest

    def _refuse_empty_paths(self, ctx: Any) -> None:
        """Raise if an argument for a path is empty, because it would mean the working folder."""
        for param in self.params:
            value = ctx.params.get(param.name)
            if value == Path() or (isinstance(value, list) and not {"", Path()}.isdisjoint(value)):
                name = param.opts[0] if param.param_type_name == "option" else param.metavar
                raise RunError(
                    f"{name}: the path is empty; if it comes from a shell variable, check that the "
                    "variable is set"
                )

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the words of the usage line, without repeated brackets and dots."""
        pieces: list[str] = super().collect_usage_pieces(ctx)  # type: ignore[misc]  # mypy does not know the base class of a mixin
        return [_plain_argument(piece) for piece in pieces]

    def get_short_help_str(self, limit: int = 0) -> str:
        """Return the first sentence of the help text, even if it is longer than the limit."""
        del limit
        first = inspect.cleandoc(self.help or "").partition("\n\n")[0]
        return " ".join(first.split()).partition(". ")[0].rstrip(".") + "."

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """Write the command's description and its examples to the help page."""
        del ctx
        text, *examples = _EXAMPLES.split(inspect.cleandoc(self.help or ""), maxsplit=1)
        with formatter.indentation():
            formatter.write_paragraph()
            formatter.write_text(text)
        for lines in examples:
            with formatter.section("Examples"):
                for line in inspect.cleandoc(lines).splitlines():
                    # Not wrapped: a wrapped command cannot be copied.
                    formatter.write(" " * formatter.current_indent + line + "\n")

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options to the help page; common options share the last line."""
        rows, hidden = [], 0
        for param in self.params:
            record = param.get_help_record(ctx)
            if record is None or not _SHARED.keys().isdisjoint(param.opts):
                continue
            if getattr(param, "rich_help_panel", None) == MORE and HELP_ALL not in ctx.meta:
                hidden += 1
                continue
            rows.append((_plain(record[0]), _RANGE.sub("", record[1])))
        if hidden:
            rows.append((HELP_ALL, f"List {hidden} more options."))
        if rows:
            with formatter.section("Options"):
                formatter.write_dl(rows, col_max=26)
        self.format_commands(ctx, formatter)
        names = {name for param in self.params for name in param.opts}
        shared = [word for name, word in _SHARED.items() if name in names]
        formatter.write("  ".join(("  Also:", *shared, "-q", "-v", "-h")) + "\n")

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write nothing, because a command has no subcommands."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the lists of valid names and the exit codes, without an empty line between them."""
        del ctx
        texts = [f"{title}: {', '.join(_names(names))}" for title, names in self.lists.items()]
        texts += [self.epilog] if self.epilog else []
        if texts:
            formatter.write_paragraph()
        with formatter.indentation():
            for text in texts:
                formatter.write_text(text)


class Page(_Page, TyperCommand):
    """A Typer command whose help page this module formats."""


class GroupPage(_Page, TyperGroup):
    """A Typer group of commands, whose help page lists the commands.

    Attributes:
        sections: pairs of a title and the names of the commands below this title. Commands in no
            section come last. Without sections, the page is one list of all commands.
    """

    sections: Sequence[tuple[str, Sequence[str]]] = ()

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands of the group to the help page.

        Each command has a line; if there are sections, commands in no section are only named.
        """
        del ctx
        rows = {
            name: command.get_short_help_str()
            for name, command in self.commands.items()
            if not command.hidden
        }
        for title, names in self.sections:
            formatter.write(f"{title}:\n")
            with formatter.indentation():
                formatter.write_dl([(name, rows.pop(name)) for name in names if name in rows])
        if self.sections:
            formatter.write("More:\n")
            with formatter.indentation():
                formatter.write_text(", ".join(rows))
        elif rows:
            with formatter.section("Commands"):
                formatter.write_dl(list(rows.items()))


class Commands(typer.Typer):
    """A Typer application whose commands have the help pages of this module.

    Attributes:
        about: the help text of the group, or "" if the commands are not in a group.
    """

    def __init__(
        self, about: str = "", *, cls: type[TyperGroup] | None = GroupPage, **settings: Any
    ) -> None:
        self.about = about
        super().__init__(
            cls=cls, help=about or None, no_args_is_help=True, rich_markup_mode=None, **settings
        )

    def command(
        self,
        name: str | None = None,
        *,
        codes: Mapping[int, str] | None = None,
        lists: Mapping[str, Names] | None = None,
        **settings: Any,
    ) -> Callable[[CommandFunctionType], CommandFunctionType]:
        """Return a decorator that registers a function as a command, as in Typer.

        Args:
            name: the word that the user types.
            codes: a mapping from exit codes to their meanings; 0 and 2 have default meanings.
            lists: a mapping from titles to lists of valid names, which are printed at the end of
                the help page.
            settings: further arguments for Typer.
        """
        page = type("Listing", (Page,), {"lists": lists}) if lists else Page
        if codes:
            meanings = {0: "done", 2: _WRONG, **codes}
            texts = "; ".join(f"{code} {meanings[code]}" for code in sorted(meanings))
            settings["epilog"] = f"Exit codes: {texts}."
        return super().command(name, cls=page, **settings)


def _plain_argument(piece: str) -> str:
    """Return a word of the usage line without braces, doubled brackets and doubled dots."""
    piece = re.sub(r"^\{(.+)\}", r"\1", piece).replace("[[", "[").replace("]]", "]")
    return re.sub(r"(?<=\.\.\.)(\]?)\.\.\.$", r"\1", piece)


def _plain(name: str) -> str:
    """Return an option's name and type with a short word for the type, such as N for `<int>`."""
    for typer_word, word in _TYPES.items():
        name = name.replace(typer_word, word)
    return re.sub(r" ?<list\[.*?\]>$", "", name)


def _names(names: Names) -> Iterable[str]:
    """Return the valid names that a help page lists.

    If `names` is an import path, its module is imported only here, when the help page is shown.
    """
    listed: Callable[[], Iterable[str]] = resolve_name(names) if isinstance(names, str) else names
    return listed()
