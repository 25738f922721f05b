"""Mutations: ways to change gold, one module each; a module offers `MUTATION`."""

from benchloom.core.kinds import Kind
from benchloom.evaluate.audit.mutation import Mutation

MUTATIONS = Kind("mutation", __name__, Mutation, attribute="MUTATION")
