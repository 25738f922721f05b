"""The questions of `benchloom init` on a terminal; an answer that cannot be is asked for again."""

from collections.abc import Callable
from pathlib import Path

import typer

from benchloom.core.errors import RunError
from flows.configuration.checks.inputs import missing_fault
from flows.configuration.first_file import WRITERS, Wishes
from flows.configuration.members import known_site, right_contact, right_endpoint


def ask() -> Wishes:
    """What somebody wants to begin with."""
    typer.echo("A first rebuild.toml. Enter alone takes what stands in brackets.", err=True)
    shortcuts = _ask("Your shortcut files: folder or archive, - for none", _there)
    definitions = _ask("Definitions: folder of apps, - for none", _there)
    sgd = _ask("Schema-Guided Dialogue: its folder, - for none", _there)
    sites = _ask("Sites to crawl, as `benchloom sites` names them, - for none", _sites)
    contact = _ask("Your URL or mail address for these sites", _contact, "") if sites else ()
    (writer,) = _ask("Who writes the texts: none, local or endpoint", _writer, "none")
    base_url: tuple[str, ...] = ()
    model: tuple[str, ...] = ()
    if writer == "endpoint":
        base_url = _ask("Address of the endpoint, - for OpenAI's", _endpoint)
        model = _ask("Its model, - for the default", _some)
    targets = _ask("Publish releases to a folder, s3:// or hf:// address, - for nowhere", _some)
    return Wishes(
        shortcuts=shortcuts,
        definitions=definitions,
        dialogues={"sgd": sgd} if sgd else {},
        sites=sites,
        contact=next(iter(contact), None),
        writer=writer,
        base_url=next(iter(base_url), None),
        model=next(iter(model), None),
        targets=targets,
    )


def _ask(
    question: str, read: Callable[[str], tuple[str, ...]], default: str = "-"
) -> tuple[str, ...]:
    """The answer as `read` takes it; its faults are told, and the question is asked again."""

    def checked(text: str) -> tuple[str, ...]:
        text = text.strip()
        try:
            return () if text == "-" else read(text)
        except (ValueError, RunError) as error:
            raise typer.BadParameter(str(error)) from error

    answers: tuple[str, ...] = typer.prompt(
        question, default=default or None, value_proc=checked, err=True
    )
    return answers


def _there(text: str) -> tuple[str, ...]:
    if missing := missing_fault(text, Path.cwd()):
        raise ValueError(missing)
    return (text,)


def _sites(text: str) -> tuple[str, ...]:
    return tuple(known_site(name) for name in text.replace(",", " ").split())


def _contact(text: str) -> tuple[str, ...]:
    return (right_contact(text),)


def _writer(text: str) -> tuple[str, ...]:
    if text not in WRITERS:
        raise ValueError(f"'{text}' is not one of {', '.join(WRITERS)}")
    return (text,)


def _endpoint(text: str) -> tuple[str, ...]:
    return (right_endpoint(text),)


def _some(text: str) -> tuple[str, ...]:
    return (text,) if text else ()
