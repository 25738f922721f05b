"""Ways to change gold, one module each; a module offers `MUTATION`."""

from benchloom.evaluate.audit.mutation import Mutation
from benchloom.kinds import Kind

MUTATIONS = Kind("mutation", __name__, Mutation, attribute="MUTATION")
