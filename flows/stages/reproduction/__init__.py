"""Gates that write again what a release derives from its own tables, and compare.

They take as long as writing did, so `release check` and `release sign` ask them, and a build, which
has just written all of it, does not. What another version of the code wrote is not compared: it
would be written differently without any fault. `is_reproducible` tells the two apart.
"""

from benchloom.release.gates import FurtherGate
from flows.stages.reproduction.documents import DocumentsGate
from flows.stages.reproduction.identities import IdentitiesGate
from flows.stages.reproduction.joined import JoinedGate
from flows.stages.reproduction.parsed import ParsedGate
from flows.stages.reproduction.texts import TextsGate

REPRODUCTION_GATES: tuple[FurtherGate, ...] = (
    IdentitiesGate(),
    ParsedGate(),
    JoinedGate(),
    TextsGate(),
    DocumentsGate(),
)
