"""Time of a rebuild after a new crawl of a site that grew by 1 %, relative to a full rebuild.

    python -m benchmarks.recrawls COUNT [COUNT...]

prints the processor seconds of all processes of the command, for sites with COUNT entries. Captures
of pages, records and files are read, listed, joined, parsed and released.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks._pace import pace
from benchmarks._processor import Usage, usage_of
from benchmarks.captured_worlds import write_captures

COUNT = 8_000
_CONFIG = """workers = 2
[sources]
captures = "captures"
[generate]
steps = ["query"]
writer = "template"
"""


def ratios() -> list[tuple[str, float, str]]:
    """Return the time of a rebuild after another crawl, relative to a full rebuild."""
    full, again = measured(COUNT)
    label = f"rebuild after another crawl over full, {COUNT} entries"
    return [(label, again.seconds / full.seconds, "<= 0.25")]


def measured(count: int) -> tuple[Usage, Usage]:
    """Return the time and memory of a full rebuild, and of one after the last crawl."""
    with TemporaryDirectory(prefix="benchloom-") as name:
        folder = Path(name)
        captures, config = folder / "captures", folder / "rebuild.toml"
        write_captures(count, captures, runs=2)
        config.write_text(_CONFIG)
        with _apart(captures, folder / "later"):
            _rebuilt(config, folder / "old")
        again = _rebuilt(config, folder / "old")
        return _rebuilt(config, folder / "fresh"), again


@contextmanager
def _apart(captures: Path, later: Path) -> Iterator[None]:
    """Move the captures of the second crawl away during the block."""
    moved = {path: later / path.relative_to(captures) for path in captures.rglob("*-00002.*")}
    for path, target in moved.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        path.rename(target)
    yield
    for path, target in moved.items():
        target.rename(path)


def _rebuilt(config: Path, workspace: Path) -> Usage:
    return usage_of(
        ["flows.cli", "rebuild", "--config", str(config), "--workspace", str(workspace)]
    )


def main() -> None:
    """Print the figures of each size."""
    for count in map(int, sys.argv[1:]):
        with pace() as meanwhile:
            full, again = measured(count)
        timings = f"{full.seconds:.1f} s, {again.seconds:.1f} s, {again.seconds / full.seconds:.3f}"
        peak = max(full.peak_mib, again.peak_mib)
        sys.stdout.write(f"{count}: {timings}, at most {peak:.0f} MiB; pace {meanwhile}\n")


if __name__ == "__main__":
    main()
