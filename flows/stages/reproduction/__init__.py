"""Gates that write a release's derived contents again from its tables, and compare.

They take as long as writing did, so `release check` and `release sign` run them, and a build,
which has just written all of it, does not. Contents from another version of the code are not
compared: they would differ without any fault. `is_reproducible` detects this.
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
