"""Names in a configuration, and the known name that is nearest to an unknown one."""

from collections.abc import Iterable
from difflib import get_close_matches


def hint(name: str, known: Iterable[str]) -> str:
    """What to write instead of an unknown name: the nearest known one, else all of them."""
    by_lower = {entry.lower(): entry for entry in sorted(known)}
    nearest = get_close_matches(name.lower(), by_lower, 1, 0.6)
    if nearest:
        return f"did you mean '{by_lower[nearest[0]]}'?"
    return f"known: {', '.join(by_lower.values())}"


def known_site(name: str) -> str:
    """The name of a site adapter.

    Raises:
        ValueError: there is none.
    """
    from scrapers.errors import UnknownSiteError
    from scrapers.sites import all_sites, find_site

    try:
        return find_site(name).name
    except UnknownSiteError:
        raise ValueError(f"unknown site '{name}'; {hint(name, all_sites())}") from None


def right_contact(text: str) -> str:
    """A contact that sites can write to.

    Raises:
        ValueError: it is none.
    """
    from scrapers.crawling.settings import contact_fault

    if fault := contact_fault(text):
        raise ValueError(fault)
    return text


def right_opt_out(entry: str) -> str:
    """An opt-out that can match something.

    Raises:
        ValueError: it cannot.
    """
    from benchloom.withholding.opt_outs import opt_out_fault

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
    from prompts.steps import steps

    if name not in steps():
        raise ValueError(f"unknown step '{name}'; {hint(name, steps())}")
    return name
