"""Parsing what lies in one archive, and in one folder: twice as much over once, processor time.

    python -m benchmarks.containers COUNT [COUNT...]

prints the seconds of each for every size. A shard is a piece of the list of all objects: whoever
goes through the whole list for each of them takes the square of it.
"""

import sys
import time
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.worlds import shortcuts
from flows.run.processes.lean_arrow import slim_arrow
from flows.run.runner import run_stage
from flows.stages.shortcuts import parse

SIZES = (16_000, 32_000)
KINDS = ("archive", "folder")


def ratios() -> list[tuple[str, float, str]]:
    """Both kinds of places, of the second size over the first."""
    few, many = (parsed(count) for count in SIZES)
    label = f"parse of one {{}}, {SIZES[1]} shortcuts over {SIZES[0]}"
    return [(label.format(kind), many[kind] / few[kind], "<= 2.15") for kind in KINDS]


def parsed(count: int) -> dict[str, float]:
    """Processor seconds of this process for the shards of each kind of place."""
    seconds_by_kind: dict[str, float] = {}
    for kind in KINDS:
        with TemporaryDirectory(prefix="benchloom-") as name:
            folder = Path(name)
            input_path = _written(folder / "place", kind, count)
            start = time.process_time()
            mark = run_stage(parse.prepare([input_path], folder / "work" / "parsed"))
            seconds_by_kind[kind] = time.process_time() - start
            if mark.objects != count:
                sys.exit(f"containers: {mark.objects} objects of {count} in one {kind}")
    return seconds_by_kind


def _written(place: Path, kind: str, count: int) -> Path:
    """So many shortcuts in one place."""
    place.mkdir()
    if kind == "folder":
        for name, content in shortcuts(count):
            (place / name).write_bytes(content)
        return place
    with zipfile.ZipFile(place / "all.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in shortcuts(count):
            archive.writestr(name, content)
    return place


def main() -> None:
    """Print what each size takes."""
    slim_arrow()
    for count in [int(word) for word in sys.argv[1:]] or SIZES:
        summary = ", ".join(f"{kind} {seconds:.1f} s" for kind, seconds in parsed(count).items())
        print(f"{count}: {summary}", flush=True)


if __name__ == "__main__":
    main()
