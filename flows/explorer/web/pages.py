"""Render pages from templates, escape values, and make invisible characters visible."""

from collections.abc import Mapping
from functools import cache
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from benchloom.core.data_files import data_path
from benchloom.core.plain_words import ABSENT
from benchloom.release.descriptions.pages import TEMPLATES as SHARED
from benchloom.release.descriptions.pages import counted, number, visible

_TEMPLATES = data_path("flows.explorer.web", "templates")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_make_visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = number
    environment.filters["counted"] = counted
    environment.globals["address"] = address
    environment.globals["absent"] = ABSENT
    return environment


def _make_visible(value: object) -> object:
    """Replace invisible characters in texts by visible ones; our own markup is unchanged."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return visible(value)
    return value


def render(template: str, **values: object) -> str:
    """Render a template with some values, and return the text of the page."""
    return _environment().get_template(template).render(**values)


def style() -> str:
    """Return the style sheet of all pages: the style sheet of a release's pages, with additions."""
    shared = (SHARED / "style.css.j2").read_text(encoding="utf-8")
    return shared + (_TEMPLATES / "explore.css").read_text(encoding="utf-8")


def address(path: str, values: Mapping[str, str | None] | None = None, **more: str | None) -> str:
    """Return the URL of one of our pages; parameters that are None are omitted."""
    parameters = {**(values or {}), **more}
    query = urlencode([(name, value) for name, value in parameters.items() if value is not None])
    return f"{path}?{query}" if query else path
