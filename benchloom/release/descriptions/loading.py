"""Describe how Hugging Face's `datasets` loads a release: configurations, splits and files.

A table that marks rows, for example for evaluation, gets a second configuration with only the
marked rows. Rows without a split are in the split `unsplit`, so they are never loaded as train.
"""

from collections.abc import Iterable

import msgspec

from benchloom.release.manifest import ReleaseFile
from benchloom.storage.tables import UNSPLIT, FileSet, load_table


class DataFiles(msgspec.Struct, frozen=True):
    """The name of a split, the pattern of its Parquet files, and the number of its rows."""

    split: str
    path: str
    rows: int


class Configuration(msgspec.Struct, frozen=True):
    """A configuration of Hugging Face's `datasets`, which loads all or some rows of a table."""

    name: str
    table: str
    data_files: tuple[DataFiles, ...]


def configurations(files: Iterable[ReleaseFile]) -> list[Configuration]:
    """Return all configurations that have rows; the first one is the default.

    Empty splits are left out.
    """
    rows = _rows_by_set(files)
    configs: list[Configuration] = []
    for table in default_first({name: sum(sets.values()) for name, sets in rows.items()}):
        whole: dict[str, int] = {}
        for file_set, count in rows[table].items():
            whole[file_set.split] = whole.get(file_set.split, 0) + count
        if any(whole.values()):
            configs.append(_configuration(table, table, {n: (n, c) for n, c in whole.items()}))
        splits = load_table(table).splits
        marked = {s.split: (s.stem, c) for s, c in rows[table].items() if s.marked and c}
        if splits is not None and splits.subset is not None and marked:
            configs.append(_configuration(splits.subset, table, marked))
    return configs


def _configuration(name: str, table: str, splits: dict[str, tuple[str, int]]) -> Configuration:
    order = ("train", "validation", "test", UNSPLIT)
    return Configuration(
        name,
        table,
        tuple(
            DataFiles(split, f"{table}/{splits[split][0]}-*.parquet", splits[split][1])
            for split in order
            if split in splits and splits[split][1]
        ),
    )


def _rows_by_set(files: Iterable[ReleaseFile]) -> dict[str, dict[FileSet, int]]:
    rows_by_table: dict[str, dict[FileSet, int]] = {}
    for file in sorted(files, key=lambda file: file.path):
        if file.table is None:
            continue
        file_set = file.in_set.file_set if file.in_set is not None else FileSet(UNSPLIT)
        sets = rows_by_table.setdefault(file.table, {})
        sets[file_set] = sets.get(file_set, 0) + (file.rows or 0)
    return rows_by_table


def default_first(tables: dict[str, int]) -> list[str]:
    """Sort table names: first the tables that most readers want, last the tables without rows.

    `tables` maps a table name to its number of rows.
    """
    preferred_tables = ("shortcuts", "planning_paths", "api_definitions")

    def order(name: str) -> tuple[bool, int, str]:
        return (
            not tables[name],
            preferred_tables.index(name) if name in preferred_tables else len(preferred_tables),
            name,
        )

    return sorted(tables, key=order)


def card_configs(files: Iterable[ReleaseFile]) -> str:
    """Return the YAML field `configs` for the dataset card, with one line per configuration."""
    configs = configurations(files)
    lines = ["configs:" if configs else "configs: []"]
    for config in configs:
        data_files_yaml = ", ".join(
            f"{{split: {d.split}, path: {d.path}}}" for d in config.data_files
        )
        first = "default: true, " if config is configs[0] else ""
        lines.append(f"- {{config_name: {config.name}, {first}data_files: [{data_files_yaml}]}}")
    return "\n".join(lines) + "\n"
