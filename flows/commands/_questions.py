"""The questions of `benchloom init` on a terminal; a wrong answer is asked for again."""

from collections.abc import Callable
from pathlib import Path

import typer

from benchloom.core.errors import RunError
from benchloom.normalise.explanations import APPLE
from flows.configuration.checks.sources import missing_fault
from flows.configuration.example import WRITERS
from flows.configuration.keys import checked

_SET = {
    "release.name": "Short name of your set, as my-shortcuts, - for none",
    "release.title": "Title of your set, - for none",
    "release.licence": "Licence of your set: SPDX id, as CC-BY-4.0, or text, - for none",
}


def ask() -> tuple[dict[str, object], str]:
    """Return the answers by key, without skipped questions, and the chosen writer."""
    typer.echo(
        "This writes a first rebuild.toml. Press Enter to accept the value in brackets.", err=True
    )
    answers: dict[str, object] = {
        "sources.shortcuts": _ask("Your shortcut files: folder or archive, - for none", _existing),
        "sources.definitions": _ask(
            f"Definitions: folder of apps, or a Mac's file {APPLE}, - for none",
            _existing,
            APPLE if Path(APPLE).expanduser().exists() else "-",
        ),
        "sources.sgd": _ask("Schema-Guided Dialogue: its folder, - for none", _existing),
        "crawl.sites": _ask("Sites to crawl, as `benchloom sites` names them, - for none", _sites),
    }
    if answers["crawl.sites"]:
        question = "Your URL or mail address for these sites"
        answers["crawl.contact"] = _ask(question, _value_of("crawl.contact"), "")
    writer = _ask("Who writes the texts: none, local or endpoint", _writer, "none")
    if writer == "endpoint":
        question = "Address of the endpoint, - for OpenAI's"
        answers["generate.base_url"] = _ask(question, _value_of("generate.base_url"))
        answers["generate.model"] = _ask("Its model, - for the default", str)
    for key, question in _SET.items():
        answers[key] = _ask(question, _value_of(key))
    question = "Authors, separated by commas: Name, or Name <mail> to publish the address"
    answers["release.authors"] = _ask(f"{question}, - for none", _authors)
    question = "Publish releases to a folder, s3:// or hf:// address, - for nowhere"
    answers["publish.targets"] = _ask(question, lambda text: [text])
    return {name: answer for name, answer in answers.items() if answer}, str(writer)


def _ask(question: str, read: Callable[[str], object], default: str = "-") -> object:
    """Ask until `read` accepts the answer; return None for `-`, which skips the question."""

    def answer_of(text: str) -> object:
        text = text.strip()
        try:
            return None if text == "-" else read(text)
        except (ValueError, RunError) as error:
            raise typer.BadParameter(str(error)) from error

    answer: object = typer.prompt(question, default=default or None, value_proc=answer_of, err=True)
    return answer


def _existing(text: str) -> list[str]:
    if missing := missing_fault(text, Path.cwd()):
        raise ValueError(missing)
    return [text]


def _authors(text: str) -> object:
    names = [name.strip() for name in text.split(",") if name.strip()]
    return list(checked("release.authors", names))


def _sites(text: str) -> object:
    return list(checked("crawl.sites", text.replace(",", " ").split()))


def _value_of(key: str) -> Callable[[str], object]:
    return lambda text: checked(key, text)


def _writer(text: str) -> str:
    if text not in WRITERS:
        raise ValueError(f"'{text}' is not one of {', '.join(WRITERS)}")
    return text
