"""This module asks the questions of `benchloom init` on a terminal."""

from collections.abc import Callable
from pathlib import Path

import typer

from benchloom.core.errors import RunError
from benchloom.normalise.explanations import APPLE
from flows.configuration.checks.sources import missing_fault
from flows.configuration.example import WRITERS
from flows.configuration.keys import convert_value

_SET = {
    "release.name": "Short name of your dataset, such as my-shortcuts (- for none)",
    "release.title": "Title of your dataset (- for none)",
    "release.licence": "Licence of your dataset, an SPDX id such as CC-BY-4.0 or text (- for none)",
}


def ask() -> tuple[dict[str, object], str]:
    """Ask all questions; return the answers and the name of the writer, a value of `WRITERS`.

    The answers are a mapping from configuration keys to values, without skipped questions.
    """
    typer.echo(
        "This writes a first rebuild.toml. Press Enter to accept the value in brackets.", err=True
    )
    answers: dict[str, object] = {
        "sources.shortcuts": _ask(
            "Folder or archive of your shortcut files (- for none)", _existing
        ),
        "sources.definitions": _ask(
            f"API definitions, a folder of apps or the file {APPLE} of a Mac (- for none)",
            _existing,
            APPLE if Path(APPLE).expanduser().exists() else "-",
        ),
        "sources.sgd": _ask("Folder of the Schema-Guided Dialogue dataset (- for none)", _existing),
        "crawl.sites": _ask(
            "Names of sites to crawl, as `benchloom sites` lists them (- for none)", _sites
        ),
    }
    if answers["crawl.sites"]:
        question = "URL or mail address at which these sites can reach you"
        answers["crawl.contact"] = _ask(question, _value_of("crawl.contact"), "")
    writer = _ask("Model that writes the texts (none, local or endpoint)", _writer, "none")
    if writer == "endpoint":
        question = "URL of the endpoint (- for OpenAI)"
        answers["generate.base_url"] = _ask(question, _value_of("generate.base_url"))
        answers["generate.model"] = _ask("Model of the endpoint (- for the default)", str)
    for key, question in _SET.items():
        answers[key] = _ask(question, _value_of(key))
    question = "Authors, separated by commas, as Name, or Name <mail> to publish the address"
    answers["release.authors"] = _ask(f"{question} (- for none)", _authors)
    question = "Folder, s3:// or hf:// address to which releases are published (- for none)"
    answers["publish.targets"] = _ask(question, lambda text: [text])
    return {name: answer for name, answer in answers.items() if answer}, str(writer)


def _ask(question: str, read: Callable[[str], object], default: str = "-") -> object:
    """Ask a question until `read` accepts the answer; return None if the user skips it with `-`."""

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
    return list(convert_value("release.authors", names))


def _sites(text: str) -> object:
    return list(convert_value("crawl.sites", text.replace(",", " ").split()))


def _value_of(key: str) -> Callable[[str], object]:
    return lambda text: convert_value(key, text)


def _writer(text: str) -> str:
    if text not in WRITERS:
        raise ValueError(f"'{text}' is not one of {', '.join(WRITERS)}")
    return text
