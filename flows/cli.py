"""The command `benchloom`: it collects its subcommands and turns errors into exit codes."""

import errno
import os
import re
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from typer import Argument

import benchloom
from benchloom.core.errors import BenchloomError, GateError
from flows.commands import COMMANDS
from flows.commands._help import EXIT_CODES, HELP_NAMES, WIDTH, Commands, GroupPage
from flows.console.interrupts import (
    INTERRUPTED,
    report_aborts,
    stopping,
    termination_as_interrupt,
)
from flows.console.output import show_progress, verbosity
from flows.errors import AGAIN, is_memory_fault
from flows.run.processes.lean import collect_rarely, limit_arenas, skip_pandas

GROUP = Commands()
NAME = "benchloom"
VARIABLE = "_BENCHLOOM_COMPLETE"
"""The environment variable with which a shell's completion script asks for completions."""


def register_shells() -> None:
    """Register the shells with Typer, so that Typer can complete commands in them.

    Typer does this only when it adds its completion options, which benchloom omits.
    """
    from typer.completion import get_completion_inspect_parameters

    get_completion_inspect_parameters()


@GROUP.command("shell-completion")
def shell_completion(
    context: typer.Context,
    shell: Annotated[
        Literal["bash", "zsh", "fish"], Argument(metavar="SHELL", help="bash, zsh or fish.")
    ],
) -> None:
    """Print a script that completes commands in a shell.

    Put the line for bash into ~/.bashrc. For zsh, replace bash by zsh, and put the line into
    ~/.zshrc after compinit.

    Examples:
        eval "$(benchloom shell-completion bash)"
        benchloom shell-completion fish > ~/.config/fish/completions/benchloom.fish
    """
    from typer.completion import shell_complete

    register_shells()
    command = context.find_root().command
    raise typer.Exit(shell_complete(command, {}, NAME, VARIABLE, f"source_{shell}"))


_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS})
"""Error numbers of a full or read-only disk, and of limits on file size."""
_NO_TEXT = "surrogates not allowed"
"""Reason in Python's error for a string with bytes that are not UTF-8."""
_TEMPORARY = re.compile(r"(?<=/)\.tmp-[^-/]+-|^\.tmp-[^-/]+-")
"""Matches the prefix in the name of an unfinished file or folder."""
_REMEDIES = {
    errno.ENOENT: "; check the path",
    errno.ENAMETOOLONG: "; choose a shorter name",
    errno.EEXIST: "; a file has this name already; choose another name",
    errno.EISDIR: "; pass a file, not a folder",
    errno.ENOTDIR: "; a part of the path is a file, not a folder; check the path",
    errno.EACCES: "; change its permissions, or choose another path",
    errno.EPERM: "; change its permissions, or choose another path",
    errno.EROFS: "; choose a folder on a writable disk",
    errno.ENOSPC: "; free space, and run the same command again",
    errno.EDQUOT: "; free space, and run the same command again",
    errno.EFBIG: "; raise the limit of file sizes, and run the same command again",
}
"""A mapping from error numbers of the operating system to remedies, which end a message."""


class RootPage(GroupPage):
    """The help page of `benchloom`: it lists commands by task, beginning with the first steps."""

    sections = (
        ("Start here", ("demo", "init", "rebuild", "status", "explore")),
        ("Read", ("parse", "convert", "import", "crawl")),
        ("Texts", ("generate", "judge", "review")),
        ("Use", ("release", "evaluate", "world", "device")),
    )

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the first argument names, as Click requires.

        If only a group has a command of this name, the error suggests the group and the command.
        """
        first = [name for _, names in self.sections for name in names if name in self.commands]
        for name in (*first, *self.commands):
            below = getattr(self.commands[name], "commands", {})
            if args[0] not in self.commands and args[0] in below:
                ctx.fail(f"No such command '{args[0]}'. Did you mean '{name} {args[0]}'?")
        return super().resolve_command(ctx, args)


def _print_version(version_flag: bool) -> None:
    if version_flag:
        sys.stdout.write(f"benchloom {benchloom.__version__}\n")
        raise typer.Exit


def build_app(word: str = "") -> typer.Typer:
    """Build the Typer application.

    `word` is the first word of the command line. Only the modules of `flows.commands` whose names
    begin with this word are imported; if no name does, all modules are imported.
    """
    app = Commands(
        "Datasets for agents that call APIs, made from shortcuts, apps and dialogues.",
        cls=RootPage,
        name="benchloom",
        epilog=EXIT_CODES,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": HELP_NAMES, "max_content_width": WIDTH},
    )
    app.callback()(_options)
    # With the underscore, `run` does not match a module whose name only begins with these letters.
    names, prefix = COMMANDS.names(), f"{word.replace('-', '_')}_"
    app.registered_commands += GROUP.registered_commands
    groups: dict[str, Commands] = {}
    for name in [name for name in names if f"{name}_".startswith(prefix)] or names:
        member = COMMANDS.find(name)
        if member.about:
            groups[name] = Commands(member.about, cls=member.info.cls)
            app.add_typer(groups[name], name=name)
        group = groups.get(name.partition("_")[0], app)
        group.registered_commands += member.registered_commands
    return app


def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            "-V",
            callback=_print_version,
            is_eager=True,
            help="Print the version and end.",
        ),
    ] = False,
) -> None:
    del version  # the callback of the option printed the version


def main() -> None:
    """Run the command line, report errors on standard error, and set the exit code.

    A bug is raised again, so that Python prints its traceback. With `--verbose`, every error is
    raised again.
    """
    _open_closed_streams()
    skip_pandas()
    limit_arenas()
    report_aborts()
    # During imports the garbage collector frees nothing; it took a fifth of a rebuild's import
    # time.
    collect_rarely()
    try:
        if VARIABLE in os.environ:
            register_shells()
        with termination_as_interrupt(), show_progress():
            build_app(next(iter(sys.argv[1:]), ""))()
    except Exception as error:
        lines = _lines_about(error)
        if not lines or verbosity.verbose:
            raise
        for line in lines:
            sys.stderr.write(line + "\n")
        sys.exit(error.exit_code if isinstance(error, BenchloomError) else BenchloomError.exit_code)
    except (KeyboardInterrupt, SystemExit) as ended:
        # Typer turns an interrupt into an exit with this code.
        if isinstance(ended, SystemExit) and ended.code != INTERRUPTED:
            raise
        stopping.say()
        sys.exit(stopping.code)


def _open_closed_streams() -> None:
    """Open standard streams that were closed when Python started.

    Python sets closed streams to None. Call this before any file is opened, because the file would
    get the descriptor number of a closed stream.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  open until the process ends


def _lines_about(error: Exception) -> list[str]:
    """Return the lines that report an error, or no lines for a bug, which needs a traceback."""
    if isinstance(error, GateError):
        return [*error.findings, f"benchloom: {error}"]
    if isinstance(error, BenchloomError):
        cause = error.__cause__
        remedy = (
            _remedy(cause) if str(error).endswith(getattr(cause, "strerror", "") or "\0") else ""
        )
        return [f"benchloom: {line}" for line in f"{error}{remedy}".splitlines()]
    if is_memory_fault(error):
        return [f"benchloom: out of memory; {AGAIN}"]
    if isinstance(error, UnicodeEncodeError) and error.reason == _NO_TEXT:
        name = next(part for part in error.object.split("/") if not part.isprintable())
        return [f"benchloom: {_TEMPORARY.sub('', name)!a}: the name is not UTF-8; rename the file"]
    if isinstance(error, OSError):
        # For a copy to a full disk, Python names the source first.
        path = error.filename2 if error.errno in _FULL and error.filename2 else error.filename
        prefix = f"{_TEMPORARY.sub('', str(path))}: " if path else ""
        return [f"benchloom: {prefix}{error.strerror or error}{_remedy(error)}"]
    return []


def _remedy(error: BaseException | None) -> str:
    return _REMEDIES.get(getattr(error, "errno", None) or 0, "")


if __name__ == "__main__":
    main()
