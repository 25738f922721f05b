"""Values of a configuration that name something or have a form of their own."""

import re
from typing import TypeVar
from urllib.parse import urlsplit

from benchloom.core.kinds import Kind, UnknownMemberError

T = TypeVar("T")


def known_site(name: str) -> str:
    """The name of a site adapter.

    Raises:
        ValueError: there is none.
    """
    from scrapers.sites import SITES

    return _found(SITES, name).name


def right_contact(text: str) -> str:
    """A contact that sites can write to.

    Raises:
        ValueError: it is none.
    """
    from scrapers.settings import contact_fault

    if fault := contact_fault(text):
        raise ValueError(fault)
    return text


def right_endpoint(text: str) -> str:
    """The address of an endpoint.

    Raises:
        ValueError: it is none.
    """
    address = urlsplit(text)  # of some texts a ValueError itself
    if address.scheme not in {"http", "https"} or not address.hostname or re.search(r"\s", text):
        raise ValueError("an endpoint is an address like http://127.0.0.1:8000/v1")
    return text


def right_opt_out(entry: str) -> str:
    """An opt-out that can match something.

    Raises:
        ValueError: it cannot.
    """
    from benchloom.normalise.withholding.opt_outs import opt_out_fault

    if fault := opt_out_fault(entry):
        raise ValueError(fault)
    return entry


def right_version(text: str) -> str:
    """The version of a release.

    Raises:
        ValueError: it is none.
    """
    from benchloom.release.versions import is_version

    if not is_version(text):
        raise ValueError(f"'{text}' is not a version like 1.2.3")
    return text


def known_step(name: str) -> str:
    """The name of a step.

    Raises:
        ValueError: there is none.
    """
    from prompts.steps import STEPS

    return _found(STEPS, name).name


def known_engine(name: str) -> str:
    """The name of an engine.

    Raises:
        ValueError: there is none.
    """
    from flows.run.engines import ENGINES

    return _found(ENGINES, name).name


def _found(kind: Kind[T], name: str) -> T:
    try:
        return kind.find(name)
    except UnknownMemberError as error:
        raise ValueError(str(error)) from None
