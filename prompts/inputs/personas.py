"""Read personas, which describe the users of conversations, from a file of JSON lines."""

from codecs import BOM_UTF8
from pathlib import Path

import msgspec

from benchloom.core.errors import RunError

MAX_PERSONAS = 100_000
MAX_PERSONA = 400


class Persona(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A description of a user, and where the description comes from."""

    persona: str
    source: str


def read_personas(path: Path) -> tuple[Persona, ...]:
    """Return the personas of a file of lines `{"persona": "...", "source": "..."}`.

    Raises:
        RunError: the file cannot be read, a line is not a persona, or there are none or too many.
    """
    personas: list[Persona] = []
    try:
        lines = path.read_bytes().removeprefix(BOM_UTF8).splitlines()
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            persona = msgspec.json.decode(line, type=Persona)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise RunError(
                f'{path}:{number} is not a persona: {error}; write {{"persona": "...", "source": '
                '"..."}} on each line'
            ) from error
        if not persona.persona.strip() or len(persona.persona) > MAX_PERSONA:
            raise RunError(f"{path}:{number}: a persona must have 1 to {MAX_PERSONA} characters")
        personas.append(persona)
    if not 1 <= len(personas) <= MAX_PERSONAS:
        raise RunError(f"{path} has {len(personas)} personas; 1 to {MAX_PERSONAS} can be read")
    return tuple(personas)
