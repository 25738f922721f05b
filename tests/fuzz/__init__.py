"""Fuzz every kind of input: readers must read or refuse a damaged file, without any other error.

`make fuzz SECONDS=60` runs every target; `python -m tests.fuzz --help` lists the options.

To add an input kind, write one module in `tests/fuzz/targets` that defines `TARGET`, a `Target`:

    from tests.fuzz import Target

    def seeds() -> list[bytes]: ...        # valid files: demo/, tests/data, builders
    def read(data: bytes) -> object: ...   # what the pipeline does with one such file

    TARGET = Target(name="warc", seeds=seeds, read=read)

`read` gets one mutant. It must return (rows, a count, anything) or raise a `BenchloomError`. If the
pipeline stores the records that it reads, `read` converts them to columns as well with
`tests.fuzz.rows.store_rows`. Any other exception, more than 5 s of processor time, more than 1 GiB
of memory, or a process that dies is a finding. Mutants run in a child process, so a finding never
ends a run.

Optional: `mutate(chance, seeds)` returns a mutant that respects the format (by default bytes are
mutated); `words` are fragments of the format for the byte mutations; `accepts(data)` selects seeds
from a folder or archive given by `--corpus`.

Equal seeds give equal mutants on every machine. `--number N` runs mutant N alone.
"""

from tests.fuzz.target import Target, find_targets, load_target

__all__ = ["Target", "find_targets", "load_target"]
