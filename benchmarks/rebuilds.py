"""This benchmark compares a rebuild with 1 % new input with a full rebuild.

    python -m benchmarks.rebuilds COUNT

prints the processor seconds of both for inputs of `benchmarks.worlds` with COUNT shortcuts. Both
use the command `benchloom rebuild`, with Prefect and its server. The last hundredth of the files is
new, as after a crawl.

    python -m benchmarks.rebuilds --stages COUNT [COUNT...]

prints the processor seconds of each stage in one process without Prefect. Two sizes show the fixed
cost of a stage and its cost per row.
"""

import json
import sys
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from benchloom.release.manifest import read_manifest
from benchloom.release.query_splits import complete_queries
from benchloom.storage.memory import remembering
from benchloom.storage.workspace import MEMORY
from benchmarks._processor import apart, usage_of
from benchmarks.growth import Pipeline
from benchmarks.worlds import write_world
from flows.run.processes.lean import fewer_collections, skip_pandas
from flows.run.runner import whole_path
from flows.stages.generate.plan import GeneratePlan
from flows.stages.generate.run import generate_rows, prepare

COUNT = 32_000
SHARE = 100
"""One file in this many, and one dialogue in this many, is new."""
_CONFIG = """workers = 2
[sources]
shortcuts = ["shortcuts"]
definitions = ["definitions"]
sgd = ["dialogues"]
[generate]
steps = ["query", "instruction"]
writer = "template"
"""


def ratios() -> list[tuple[str, float, str]]:
    """Return the time of the stages with 1 % new input, relative to the full run before."""
    with _world(COUNT) as (folder, late_files):
        full = _stages_apart(folder, folder / "old", "0.1.0")
        _write(late_files)
        again = _stages_apart(folder, folder / "old", "0.2.0")
    ratio = sum(again.seconds.values()) / sum(full.seconds.values())
    label = f"stages with 1 % new input relative to all stages, {COUNT} shortcuts"
    return [(label, ratio, "<= 0.06")]


def measured(count: int) -> tuple[float, float]:
    """Return the processor seconds of a full rebuild, and of a rebuild with 1 % new input."""
    with _world(count) as (folder, late_files):
        workspace, fresh = folder / "old", folder / "fresh"
        config = configured(folder)
        _seconds(config, workspace)
        _write(late_files)
        again = _seconds(config, workspace)
        return _seconds(config, fresh), again


def configured(world: Path) -> Path:
    """Write a configuration that rebuilds all inputs in a folder, and return its path."""
    config = world / "rebuild.toml"
    config.write_text(_CONFIG)
    return config


class Stages(msgspec.Struct, frozen=True):
    """A mapping from stages to their processor seconds, and the content digest of the release."""

    seconds: dict[str, float]
    digest: str


def measured_stages(count: int) -> tuple[Stages, Stages]:
    """Return the times of all stages, and their times after 1 % of the input was added.

    Raises:
        SystemExit: the release with added input differs from that of a full run.
    """
    with _world(count) as (folder, late_files):
        _stages_apart(folder, folder / "old", "0.1.0")
        _write(late_files)
        again = _stages_apart(folder, folder / "old", "0.2.0")
        full = _stages_apart(folder, folder / "fresh", "0.2.0")
    if full.digest != again.digest:
        sys.exit(
            f"rebuilds: {count} shortcuts: the release after new input has the digest "
            f"{again.digest}, but a full run gives {full.digest}"
        )
    return full, again


@contextmanager
def _world(count: int) -> Iterator[tuple[Path, dict[Path, bytes]]]:
    """Yield a folder of inputs without the last hundredth of its files, and these files.

    The second value maps the paths of the missing files to their content.
    """
    with TemporaryDirectory(prefix="benchloom-") as name:
        folder = Path(name)
        write_world(count, folder)
        files = _unpack(folder)
        late_files = {
            path: files[path]
            for kind in ("shortcuts", "dialogues")
            for path in _late([file for file in files if kind in file.parts])
        }
        for path in late_files:
            path.unlink()
        yield folder, late_files


def _late(files: Sequence[Path]) -> Sequence[Path]:
    return sorted(files)[-(len(files) // SHARE) :]


def _write(files: dict[Path, bytes]) -> None:
    for path, content in files.items():
        path.write_bytes(content)


def _unpack(folder: Path) -> dict[Path, bytes]:
    files: dict[Path, bytes] = {}
    for path in sorted((folder / "shortcuts").glob("*.zip")):
        with zipfile.ZipFile(path) as archive:
            files |= {path.parent / name: archive.read(name) for name in archive.namelist()}
        path.unlink()
    for path in sorted((folder / "dialogues").rglob("dialogues_*.json")):
        for number, row in enumerate(json.loads(path.read_bytes())):
            target = path.with_name(f"{path.stem}{number:05d}.json")
            files[target] = json.dumps([row]).encode()
        path.unlink()
    _write(files)
    return files


def _seconds(config: Path, workspace: Path) -> float:
    command = ["rebuild", "--config", str(config), "--workspace", str(workspace)]
    return usage_of(["flows.cli", *command]).seconds


def _stages_apart(folder: Path, workspace: Path, version: str) -> Stages:
    words = ("benchmarks.rebuilds", "--stages-alone", folder, workspace, version)
    return apart(Stages, *words)


def _stages(folder: Path, workspace: Path, version: str) -> Stages:
    pipeline = Pipeline(folder, workspace)
    finished = [pipeline.joined(), pipeline.plans()]
    for step, source in zip(("instruction", "query"), finished[::-1], strict=True):
        plan = GeneratePlan(step=step, source=source.path)
        out = whole_path(workspace, f"generated/{step}", prepare(plan))
        finished.append(pipeline.timed(step, partial(generate_rows, plan, out)))
    release_folder = workspace / "releases" / version
    with (
        fewer_collections(),
        remembering(workspace / MEMORY),
    ):
        folders = [stage.path for stage in finished]
        texts = pipeline.timed("texts", lambda: complete_queries(folders, workspace / "texts"))
        pipeline.release(finished, release_folder, texts)
    return Stages(pipeline.seconds, read_manifest(release_folder).content_digest)


def _table(full: Stages, again: Stages) -> Iterator[str]:
    for name, seconds in {**full.seconds, "all": sum(full.seconds.values())}.items():
        newer = again.seconds.get(name, sum(again.seconds.values()))
        yield f"  {name:12} {seconds:8.2f} {newer:8.2f} {newer / seconds:6.3f}"


def main() -> None:
    """Print the times of both rebuilds, or of their stages with the option --stages."""
    skip_pandas()  # as every command does
    words = sys.argv[1:]
    if words[0] == "--stages-alone":
        stages = _stages(Path(words[1]), Path(words[2]), words[3])
        report = msgspec.json.encode(stages).decode()
    elif words[0] == "--stages":
        report = "\n".join(
            f"{count} shortcuts: seconds of all input, of 1 % new input, and their ratio\n"
            + "\n".join(_table(*measured_stages(count)))
            for count in map(int, words[1:])
        )
    else:
        full, again = measured(int(words[0]))
        report = (
            f"full rebuild {full:.1f} s, with 1 % new input {again:.1f} s, ratio {again / full:.3f}"
        )
    sys.stdout.write(f"{report}\n")


if __name__ == "__main__":
    main()
