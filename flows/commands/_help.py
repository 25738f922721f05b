"""Help pages: examples to copy, the options that matter, and the rest behind `--help-all`.

The docstring of a command is its page. Lines below `Examples:` are commands to copy; an option in
the panel `MORE` is only listed by `--help-all`; options of every command share one line. A page
has at most 30 lines on a terminal of 80 columns, which a test holds. The page of a command that
takes members of a kind ends with their names.
"""

import inspect
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from benchloom.core.errors import RunError
from flows.console.output import verbosity

_WRONG = "wrong usage, configuration or input"
EXIT_CODES = (
    "Exit codes: 0 done; 1 nothing read, or a gate said no; 2 wrong usage or input; "
    "3 stopped by a budget or a site's refusal; 130 interrupted."
)
MORE = "More"
"""The panel of options that only `--help-all` lists."""
rare = partial(typer.Option, rich_help_panel=MORE)
"""An option that only `--help-all` lists."""
WIDTH = 100
"""The most columns that a page uses, however wide the terminal is."""
HELP_ALL = "--help-all"
HELP_NAMES = ["-h", "--help"]
_EXAMPLES = re.compile(r"\n+Examples:\n")
_SHARED = {
    "--version": "-V, --version",
    "--json": "--json",
    "--workspace": "--workspace DIR",
    "--workers": "--workers N",
}
"""Options of nearly every command: named on one line of the page."""
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
    """Shared behaviour of the help pages of commands and groups; mixed into Typer's own classes."""

    help: str | None
    epilog: str | None
    params: list[Any]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take the options that every command has, then parse the others."""
        if HELP_ALL in args:
            ctx.meta[HELP_ALL] = True
            args = ["--help" if word == HELP_ALL else word for word in args]
        if ctx.parent is None:
            verbosity.reset()
        rest: list[str] = super().parse_args(ctx, verbosity.taken_from(args))  # type: ignore[misc]  # a mixin
        if "" in args and "." not in args:
            self._refuse_empty_paths(ctx)
        return rest

    def _refuse_empty_paths(self, ctx: Any) -> None:
        """Refuse an empty word for a path, which would mean the working folder."""
        for param in self.params:
            value = ctx.params.get(param.name)
            if value == Path() or (isinstance(value, list) and not {"", Path()}.isdisjoint(value)):
                name = param.opts[0] if param.param_type_name == "option" else param.metavar
                raise RunError(f"{name}: an empty path; is the variable in it set?")

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the words of the usage line, each with one kind of brackets."""
        pieces: list[str] = super().collect_usage_pieces(ctx)  # type: ignore[misc]  # a mixin
        return [_plain_argument(piece) for piece in pieces]

    def get_short_help_str(self, limit: int = 0) -> str:
        """Return the first sentence of the help, whole, whatever the limit."""
        del limit
        first = inspect.cleandoc(self.help or "").partition("\n\n")[0]
        return " ".join(first.split()).partition(". ")[0].rstrip(".") + "."

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """Write the description and the examples."""
        del ctx
        text, *examples = _EXAMPLES.split(inspect.cleandoc(self.help or ""), maxsplit=1)
        with formatter.indentation():
            formatter.write_paragraph()
            formatter.write_text(text)
        for lines in examples:
            with formatter.section("Examples"):
                for line in inspect.cleandoc(lines).splitlines():
                    # Written as it is: a wrapped command cannot be copied.
                    formatter.write(" " * formatter.current_indent + line + "\n")

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options; those of every command come last, on one line."""
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
        """Write nothing: a command has no commands below it."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the lines below the options, without an empty line between them."""
        del ctx
        if self.epilog:
            formatter.write_paragraph()
            with formatter.indentation():
                for text in self.epilog.split("\n\n"):
                    formatter.write_text(text)


class Page(_Page, TyperCommand):
    """A command with a help page."""


class GroupPage(_Page, TyperGroup):
    """A group with a help page that lists its commands, in sections if it names them.

    Attributes:
        sections: titles with the names of commands below them; others come last.
    """

    sections: Sequence[tuple[str, Sequence[str]]] = ()

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a line for every command; of a group with sections, the others by name alone."""
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
    """Commands or groups of commands, all with the same kind of help page."""

    """Commands or groups of commands, all with the same kind of help page."""

    def __init__(self, *, cls: type[GroupPage] = GroupPage, **settings: Any) -> None:
        super().__init__(cls=cls, no_args_is_help=True, rich_markup_mode=None, **settings)

    def command(self, name: str | None = None, *, cls: Any = None, **settings: Any) -> Any:
        """Register a function as a command, as Typer does."""
        return super().command(name, cls=cls or Page, **settings)


def exit_codes(*, code_1: str = "", code_2: str = _WRONG, code_3: str = "") -> str:
    """The end of a command's help: what its exit codes mean; 0 is done."""
    meanings = [f"{code} {said}" for code, said in ((1, code_1), (2, code_2), (3, code_3)) if said]
    return f"Exit codes: {'; '.join(('0 done', *meanings))}."


def _plain_argument(piece: str) -> str:
    """An argument without the brackets and dots that its metavar has already."""
    piece = re.sub(r"^\{(.+)\}", r"\1", piece).replace("[[", "[").replace("]]", "]")
    return re.sub(r"(?<=\.\.\.)(\]?)\.\.\.$", r"\1", piece)


def _plain(name: str) -> str:
    """The name of an option with a short word for its type."""
    for typer_word, word in _TYPES.items():
        name = name.replace(typer_word, word)
    return re.sub(r" ?<list\[.*?\]>$", "", name)


Names = Callable[[], tuple[str, ...]]


def listing(title: str, names: Names, *further: tuple[str, Names]) -> type[Page]:
    """The class of a command whose help ends with names, below one title or several.

    They are asked for when the help is shown: no other start of a command imports what knows them.
    """
    lists = ((title, names), *further)

    class Listing(Page):
        """The command."""

        def format_help(self, ctx: Any, formatter: Any) -> None:
            """The usual help, and the names."""
            original_epilog, self.epilog = self.epilog, "\n\n".join(map(_line, lists))
            if original_epilog:
                self.epilog += f"\n\n{original_epilog}"
            super().format_help(ctx, formatter)
            self.epilog = original_epilog

    return Listing


def _line(titled: tuple[str, Names]) -> str:
    return f"{titled[0]}: {', '.join(titled[1]())}"


def site_names() -> tuple[str, ...]:
    """The known sites."""
    from scrapers.sites import SITES

    return SITES.names()


def suite_names() -> tuple[str, ...]:
    """The suites of worlds."""
    from benchloom.worlds.suites import SUITES

    return SUITES.names()
