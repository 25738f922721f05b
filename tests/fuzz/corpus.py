"""The seeds of a target: its own good files, and those of a folder or archive given by hand."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random

from benchloom.core.errors import RejectedInputError, RunError
from benchloom.storage.inputs import list_objects
from tests.fuzz.mutations import mutated
from tests.fuzz.target import Target

MAX_SEED_BYTES = 512 * 1024


def seeds_of(target: Target, corpus: Path | None) -> Sequence[bytes]:
    """The files that mutants are made of, in a stable order.

    Raises:
        RunError: the corpus holds no file of this kind.
    """
    if corpus is None:
        return target.seeds()
    seeds: list[bytes] = []
    with ExitStack() as stack:
        for source in list_objects([corpus], stack):
            try:
                data = source.read()
            except RejectedInputError:
                continue
            if len(data) <= MAX_SEED_BYTES and target.accepts and target.accepts(data):
                seeds.append(data)
    if not seeds:
        raise RunError(f"{corpus} holds no file that the target {target.name} accepts")
    return seeds


def mutant(target: Target, seeds: Sequence[bytes], seed: int, number: int) -> bytes:
    """Mutant `number` of a target; the same for the same seeds."""
    chance = Random(f"{target.name}/{seed}/{number}")
    if target.mutate is not None:
        return target.mutate(chance, seeds)
    return mutated(chance, seeds, target.words)
