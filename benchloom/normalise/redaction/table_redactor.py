"""Build the redactor for a set of tables, with its public addresses and numbered paths."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import pyarrow as pa

from benchloom.normalise.redaction.cells import CellRedactor, is_public
from benchloom.normalise.redaction.tables import distinct_texts
from benchloom.storage.inputs import SourceFile
from benchloom.storage.tables import load_table, open_parquet

Parts = Mapping[str, Sequence[Path]]


def redactor_of(parts: Parts, sources: Iterable[SourceFile] = ()) -> CellRedactor:
    """Return the redactor of a release or part, with its public addresses.

    With `sources`, paths that would be equal after redaction are numbered; a finished release has
    numbered paths already.
    """
    public: set[str] = set()
    paths = {source.source_uri for source in sources}
    for name, files in parts.items():
        table = load_table(name)
        for rows in row_groups(files, (*table.redaction.public, *table.redaction.paths)):
            for path in table.redaction.public:
                public.update(text for text in distinct_texts(rows, path) if is_public(text))
            if sources:
                for path in table.redaction.paths:
                    paths.update(distinct_texts(rows, path))
    redactor = CellRedactor(public)
    if sources:
        redactor.number_paths(paths)
    return redactor


def row_groups(
    files: Iterable[Path], paths: Iterable[str] | None = None, groups: Sequence[int] | None = None
) -> Iterator[pa.Table]:
    """Yield row groups with only the columns of `paths`; with `groups`, only those groups."""
    columns = None if paths is None else list(dict.fromkeys(p.split(".")[0] for p in paths))
    if columns == []:
        return
    for path in files:
        with open_parquet(path) as file:
            for group in range(file.num_row_groups) if groups is None else groups:
                yield file.read_row_group(group, columns=columns, use_threads=False)
