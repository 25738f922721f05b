"""Fuzzing of every kind of input: mutants of good files must be read or refused, never more.

`make fuzz SECONDS=60` runs every target, `python -m tests.fuzz --help` tells the rest.

To add an input kind, write one module in `tests/fuzz/targets` that offers `TARGET`, a `Target`:

    from tests.fuzz import Target

    def seeds() -> list[bytes]: ...        # good files, our own: demo/, tests/data, builders
    def read(data: bytes) -> object: ...   # what the pipeline does with one such file

    TARGET = Target(name="warc", seeds=seeds, read=read)

`read` gets one mutant. It must return (rows, a count, anything) or raise a `BenchloomError`; where
the pipeline writes what it read, write it too (`tests.fuzz.rows.stored` puts records through the
columns of their table). Any other exception, more than 5 s of processor time, 1 GiB of memory, or
a process that ends is a finding. Mutants run in a child process, so a finding never ends a run.

Optional: `mutate(chance, seeds)` makes a mutant by knowing the format (else bytes are mutated);
`words` are fragments of the format for the byte mutations; `accepts(data)` picks seeds out of a
folder or archive given by `--corpus`.

Mutant N of a target is the same for everyone who has the same seeds: `--number N` runs it alone.
"""

from tests.fuzz.target import Target, find_targets, load_target

__all__ = ["Target", "find_targets", "load_target"]
