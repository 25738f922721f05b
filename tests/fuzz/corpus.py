"""Load the seeds of a target, by default its own samples, and make mutants of them."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random

from benchloom.core.errors import RejectedInputError, RunError
from benchloom.storage.inputs import list_objects
from tests.fuzz.mutations import mutate_bytes
from tests.fuzz.target import Target

MAX_SEED_BYTES = 512 * 1024


def seeds_of(target: Target, corpus: Path | None) -> Sequence[bytes]:
    """Return the files that mutants are made from, in a stable order.

    Raises:
        RunError: the corpus contains no file of this kind.
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
    """Return mutant `number` of a target; equal seeds give equal mutants."""
    chance = Random(f"{target.name}/{seed}/{number}")
    if target.mutate is not None:
        return target.mutate(chance, seeds)
    return mutate_bytes(chance, seeds, target.words)
