"""The stage `normalise` writes one row per distinct shortcut that may be published.

The reason for every merged and every withheld row is recorded.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import msgspec
import pyarrow as pa

from benchloom.core.records import Rejected
from benchloom.normalise.opt_outs.files import Withheld, read_withheld, withhold_files
from benchloom.normalise.shortcuts.duplicates import (
    choose,
    read_candidates,
    rows_by_part,
)
from benchloom.normalise.shortcuts.origins import (
    Origin,
    attach_origins,
    owners_of,
    read_origins,
)
from benchloom.storage.tables import OpenPart, iter_records, read_rows, table_parts
from flows.run.finished import FinishedStage
from flows.run.output import Output
from flows.run.reads import rows_of
from flows.run.stage import Stage

STAGE = "normalise-shortcuts"


class Chosen(msgspec.Struct, frozen=True):
    """The rows to publish, and the reasons why other rows are left out.

    Attributes:
        rows: maps the name of each parsed file to the numbers of its chosen rows.
        left_out: a rejected row, with the reason, for each row that was not chosen.
        origins: maps the id of a shortcut to the ids, names and descriptions that captures contain
            for it. A shortcut without actions has the digest of its file in place of the id.
    """

    rows: Mapping[str, Sequence[int]]
    left_out: Sequence[Rejected]
    origins: Mapping[str, Origin]


def prepare(
    parsed: FinishedStage,
    listings: FinishedStage | None = None,
    opt_out: Sequence[str] = (),
) -> Stage[Chosen, Path]:
    """Build the stage that chooses the parsed shortcuts to publish.

    `listings` is a stage with facts from captures about the files, such as their names, and which
    of them are withheld. `opt_out` may name further shortcut ids to leave out.
    """
    captured = None if listings is None else listings.path
    withheld = read_withheld(captured).joined(opt_out)
    return Stage(
        name=STAGE,
        subject="normalised/shortcuts",
        reads=rows_of(parsed, "shortcuts"),
        also=[withheld.digest(), *([] if listings is None else [listings.key])],
        tables=("shortcuts",),
        shared=partial(choose_rows, parsed.path, captured, withheld),
        make=write_chosen,
        concerns=concern_of,
        close=partial(write_left_out, parsed.path),
        balance=("shortcuts",),
    )


def choose_rows(parsed: Path, listings: Path | None, withheld: Withheld) -> Chosen:
    """Choose one row of each group of equal shortcuts, and no row of a withheld shortcut."""
    parts = table_parts(parsed, "shortcuts")
    candidates, rejected = withhold_files(list(read_candidates(parts)), withheld)
    choice = choose(candidates)
    rows = rows_by_part(choice.chosen, len(parts))
    return Chosen(
        dict(zip((part.name for part in parts), rows, strict=True)),
        [*choice.left_out, *rejected],
        {} if listings is None else read_origins(listings, candidates),
    )


def concern_of(chosen: Chosen, part: Path) -> Iterator[str]:
    """Yield everything that determines the rows of a parsed file: the chosen rows and origins."""
    yield str(chosen.rows[part.name])
    if chosen.origins:
        for owner in owners_of(read_rows(part, ["shortcut_id", "source_digest", "action_count"])):
            yield msgspec.json.encode(chosen.origins.get(owner)).decode()


def write_chosen(chosen: Chosen, part: Path, output: Output) -> None:
    """Write the chosen rows of a parsed file, in the order of the file."""
    numbers = [(row, row) for row in chosen.rows[part.name]]
    with closing(OpenPart(part)) as opened:
        for group, chosen_numbers in opened.by_group(numbers):
            rows = opened.rows(group).take(pa.array([row for row, _ in chosen_numbers], pa.int64()))
            rows = attach_origins(rows, chosen.origins) if chosen.origins else rows
            output.add_rows("shortcuts", rows)


def write_left_out(parsed: Path, chosen: Chosen, output: Output) -> None:
    """Write all rejected rows: rows that the parser rejected, and rows that were not chosen."""
    output.reject_sorted(chosen.left_out, iter_records(parsed, "rejected", Rejected, 4096))
