"""The command `benchloom init`: it writes a first configuration from options or questions."""

import sys
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from typer import Argument, Option

from benchloom.core.errors import RunError
from flows.commands._help import SITES, Commands, rare
from flows.commands.options import DEFAULT_WORKSPACE, Json, UnusedWorkspace, finish

GROUP = Commands()


class InitSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary that `init --json` prints; `lacking` has a line for each missing program."""

    command: str
    file: str
    lacking: tuple[str, ...]


@GROUP.command("init", lists=SITES, codes={2: "an option has a fault; nothing was written"})
def init(
    folder: Annotated[Path, Argument(metavar="[DIR]", help="Folder for rebuild.toml.")] = Path(),
    shortcuts: Annotated[
        list[str] | None, Option(metavar="PATH", help="Shortcut files (repeatable).")
    ] = None,
    definitions: Annotated[
        list[str] | None,
        Option(metavar="PATH", help="Apps, or definition files of apps (repeatable)."),
    ] = None,
    dialogues: Annotated[
        list[str] | None,
        Option(metavar="NAME=PATH", help="Dialogues, such as sgd=FOLDER (repeatable)."),
    ] = None,
    site: Annotated[
        list[str] | None,
        Option(metavar="NAME", help="Name of a site to crawl, from the list below (repeatable)."),
    ] = None,
    contact: Annotated[
        str | None, rare(metavar="TEXT", help="URL or mail address at which sites can reach you.")
    ] = None,
    writer: Annotated[
        Literal["none", "local", "endpoint"] | None,
        Option(
            metavar="WHO",
            help="Writer of texts: none (templates), local (a small model here) or endpoint.",
        ),
    ] = None,
    base_url: Annotated[
        str | None, Option(metavar="URL", help="URL of an endpoint that needs no key.")
    ] = None,
    model: Annotated[str | None, rare(metavar="NAME", help="Model of the endpoint.")] = None,
    max_usd: Annotated[
        float | None, Option(metavar="X", help="Maximum cost in US dollars for each step.")
    ] = None,
    free: Annotated[
        bool, rare("--free", help="The endpoint costs nothing: no cap is needed.")
    ] = False,
    publish: Annotated[
        list[str] | None,
        Option(metavar="ADDRESS", help="Target: a folder, s3:// or hf:// (repeatable)."),
    ] = None,
    cron: Annotated[
        str | None, rare(metavar="EXPRESSION", help="Cron expression for scheduled rebuilds.")
    ] = None,
    name: Annotated[str | None, rare(metavar="NAME", help="Short name of your dataset.")] = None,
    title: Annotated[str | None, rare(metavar="TEXT", help="Title of your dataset.")] = None,
    licence: Annotated[
        str | None, rare(metavar="TEXT", help="Licence: SPDX id, or free text.")
    ] = None,
    author: Annotated[
        list[str] | None,
        rare(metavar="TEXT", help="Author: Name, or 'Name <mail>' to publish both (repeatable)."),
    ] = None,
    force: Annotated[bool, rare("--force", help="Replace an existing file.")] = False,
    json: Json = False,
    workspace: UnusedWorkspace = DEFAULT_WORKSPACE,
) -> None:
    """Write a first rebuild.toml, from options or questions.

    The file is written only if it passes `config check`. The command never asks for a secret.

    Examples:
        benchloom init mine --shortcuts shortcuts.zip --definitions apps/
        benchloom init other --dialogues sgd=sgd/ --writer none
    """
    from flows.configuration.example import first_file
    from flows.configuration.file import DEFAULT_FILE

    file = folder / DEFAULT_FILE
    if file.exists() and not force:
        raise RunError(f"{file} exists already; --force overwrites it")
    answers: dict[str, object] = {
        "sources.shortcuts": shortcuts,
        "sources.definitions": definitions,
        **_by_source(dialogues or []),
        "generate.model": model,
        "generate.base_url": base_url,
        "generate.max_usd": max_usd,
        "generate.free": free or None,
        "crawl.sites": site,
        "crawl.contact": contact,
        "release.name": name,
        "release.title": title,
        "release.licence": licence,
        "release.authors": author,
        "publish.targets": publish,
        "schedule.cron": cron,
    }
    answers = {name: value for name, value in answers.items() if value not in (None, [], "")}
    writer_name: str = writer or "none"
    if not answers and writer is None and not json and sys.stdin.isatty() and sys.stderr.isatty():
        from flows.commands._questions import ask

        answers, writer_name = ask()
    endpoint_keys = ("generate.base_url", "generate.model", "generate.max_usd", "generate.free")
    if writer_name != "endpoint" and any(key in answers for key in endpoint_keys):
        raise RunError("--base-url, --model, --max-usd and --free need --writer endpoint")
    if not any(name.startswith("sources.") or name == "crawl.sites" for name in answers):
        raise RunError(
            "no input: pass --shortcuts, --definitions, --dialogues or --site; "
            "on a terminal, `benchloom init` without options asks for them"
        )
    lacking = _write(file, first_file(answers, writer_name, folder))
    summary = InitSummary(command="init", file=str(file), lacking=lacking)
    lines = [f"written: {file}", *(f"  missing on this machine: {line}" for line in lacking)]
    where = "" if file == DEFAULT_FILE else f" --config {file}"
    lines.append(f"  next: benchloom config check{where}, then benchloom rebuild{where}")
    finish(summary, lines, as_json=json)


def _write(file: Path, text: str) -> tuple[str, ...]:
    """Write a configuration file unless it has faults; return a line for each missing program.

    Raises:
        ConfigurationError: the text has faults, so nothing was written.
        RunError: a path in the text cannot be written as UTF-8.
    """
    from benchloom.storage.workspace import write_file
    from flows.configuration import ConfigurationError
    from flows.configuration.checks import check_configuration

    try:
        content = text.encode()
    except UnicodeEncodeError as error:
        raise RunError("a path that is not UTF-8 cannot be written to TOML; rename it") from error
    # The file is written even if the environment has faults.
    faults = [fault for fault in check_configuration(file, text=text) if fault.source == str(file)]
    if wrong := [fault for fault in faults if not fault.outside]:
        raise ConfigurationError(wrong)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_file(file, content)
    return tuple(dict.fromkeys(fault.message for fault in faults))


def _by_source(sources: list[str]) -> dict[str, list[str]]:
    """Return a mapping from configuration keys, such as `sources.sgd`, to paths of dialogues.

    `sources` are values of the option --dialogues, such as `sgd=FOLDER`.

    Raises:
        RunError: an option is not NAME=PATH, or there is no source of this name.
    """
    from parsers.dialogues.sources import DIALOGUE_SOURCES

    paths_by_source: dict[str, list[str]] = {}
    for option in sources:
        name, equals, path = option.partition("=")
        if not (equals and path):
            raise RunError(f"--dialogues {option}: expected NAME=PATH, such as sgd=FOLDER")
        DIALOGUE_SOURCES.find(name)
        key = f"sources.{DIALOGUE_SOURCES.spelt(name)}"
        paths_by_source.setdefault(key, []).append(path)
    return paths_by_source
