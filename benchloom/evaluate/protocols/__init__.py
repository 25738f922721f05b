"""How the papers ask: one module per benchmark, called like it, which offers `PROTOCOL`.

All prompt texts are our own words; what they tell, and in which steps, is the paper's.
"""

from benchloom.core.kinds import Kind
from benchloom.evaluate.protocol import Protocol

PROTOCOLS = Kind("protocol", __name__, Protocol, attribute="PROTOCOL", dashed=True)
