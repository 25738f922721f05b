"""`benchloom shell-completion bash|zsh|fish`: words that the shell completes with Tab."""

from typing import Annotated, Literal

import typer
from typer import Argument

from flows.commands._help import Commands

GROUP = Commands()
NAME = "benchloom"
VARIABLE = "_BENCHLOOM_COMPLETE"
"""Set by the script of a shell that asks what may follow; the words so far stand beside it."""


def know_shells() -> None:
    """Let the command line's library know its shells; it only does so for options we do not have.

    Imported when a shell asks: no other start of a command needs it.
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

    The line for bash belongs in ~/.bashrc; zsh takes the same with its own name, in ~/.zshrc behind
    compinit.

    Examples:
        eval "$(benchloom shell-completion bash)"
        benchloom shell-completion fish > ~/.config/fish/completions/benchloom.fish
    """
    from typer.completion import shell_complete

    know_shells()
    command = context.find_root().command
    raise typer.Exit(shell_complete(command, {}, NAME, VARIABLE, f"source_{shell}"))
