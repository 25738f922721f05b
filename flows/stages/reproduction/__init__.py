"""These release checks (gates) compare contents with the tables from which they were derived.

The gates take as long as writing the contents did. `release check` and `release sign` run them;
a build, which has just written the contents, does not.
"""

from benchloom.release.gates import AnyGate
from flows.stages.reproduction import documents, executed, identities, joined, parsed, texts

REPRODUCTION_GATES: tuple[AnyGate, ...] = (identities, parsed, joined, executed, texts, documents)
