"""The format of WFActions, which define the system's own actions up to 2022."""

from parsers.definitions import DefinitionFormat, parse_by


def named(name: str) -> bool:
    """Whether a file name is that of a WFActions file."""
    return name.startswith("WFActions.")


def recognises(name: str, data: bytes) -> bool:
    """Whether a file may contain actions, judged by its name or its suffix."""
    del data
    return named(name) or name.endswith((".json", ".plist"))


FORMAT = DefinitionFormat("wfactions", recognises, parse_by(f"{__name__}.format"), named)
