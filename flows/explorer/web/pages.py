"""Pages from templates: whatever they are given is escaped, letters that hide text are shown."""

from collections.abc import Mapping
from functools import cache
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from benchloom.core.data_files import data_path
from benchloom.core.plain_words import UNTOLD
from benchloom.release.describing.pages import TEMPLATES as SHARED
from benchloom.release.describing.pages import number, visible

_TEMPLATES = data_path("flows.explorer.web", "templates")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = number
    environment.globals["address"] = address
    environment.globals["absent"] = UNTOLD
    return environment


def _shown(value: object) -> object:
    """Every text as it is, with signs for letters that nobody sees; markup of ours stays."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return visible(value)
    return value


def render(template: str, **values: object) -> str:
    """The text of a template."""
    return _environment().get_template(template).render(**values)


def style() -> str:
    """The style of all pages: that of a release's own pages, and what only these have."""
    shared = (SHARED / "style.css.j2").read_text(encoding="utf-8")
    return shared + (_TEMPLATES / "explore.css").read_text(encoding="utf-8")


def address(path: str, values: Mapping[str, str | None] | None = None, **more: str | None) -> str:
    """The address of a page of ours; what is None is left out."""
    parameters = {**(values or {}), **more}
    query = urlencode([(name, value) for name, value in parameters.items() if value is not None])
    return f"{path}?{query}" if query else path
