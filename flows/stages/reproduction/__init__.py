"""Gates that write a release's derived contents again from its tables, and compare them.

The gates take as long as writing the contents did. `release check` and `release sign` run them;
a build, which has just written the contents, does not. Contents that another version of the
code wrote are not compared, because they would differ without any fault. `is_reproducible`
detects this case.
"""

from benchloom.release.gates import AnyGate
from flows.stages.reproduction.documents import DocumentsGate
from flows.stages.reproduction.executed import ExecutedGate
from flows.stages.reproduction.identities import IdentitiesGate
from flows.stages.reproduction.joined import JoinedGate
from flows.stages.reproduction.parsed import ParsedGate
from flows.stages.reproduction.texts import TextsGate

REPRODUCTION_GATES: tuple[AnyGate, ...] = (
    IdentitiesGate(),
    ParsedGate(),
    JoinedGate(),
    ExecutedGate(),
    TextsGate(),
    DocumentsGate(),
)
