"""This benchmark measures exports of a release of 17,000 plans in several formats.

The plans are invented, with two calls each. Each format is exported in a separate process, with
three distractors (tools that a row does not need) per row.
"""

import sys
import tempfile
import time
from pathlib import Path

from benchloom.exchange.examples.distractors import Distraction
from benchloom.exchange.examples.releases import Choice
from benchmarks._processor import apart, peak_mib, print_json
from flows.stages.export import export_release
from tests.support.samples.plan_release import plan_release, plans

PLANS = 17_000
FORMATS = ("openai", "trl", "hermes", "sharegpt", "adp", "bfcl", "verl", "nestful-v2")


def ratios() -> list[tuple[str, float, str]]:
    """Return the processor seconds and the peak memory of an export in each format."""
    figures: list[tuple[str, float, str]] = []
    with tempfile.TemporaryDirectory() as scratch:
        release = plan_release(Path(scratch) / "release", list(plans(PLANS)))
        for name in FORMATS:
            words = ("benchmarks.exports", name, release, scratch)
            seconds, peak = apart(tuple[float, float], *words)
            figures += [
                (f"{name}, {PLANS} plans, seconds", seconds, "< 10"),
                (f"{name}, peak memory, MiB", peak, "< 300"),
            ]
    return figures


def _export(name: str, release: Path, scratch: Path) -> float:
    start = time.process_time()
    out = scratch / name
    done = export_release(release, name, out, Choice(), distraction=Distraction(3, "similar"))
    if done.examples != PLANS:
        sys.exit(f"{done.examples} of {PLANS} plans were exported: {done.left_out}")
    return time.process_time() - start


if __name__ == "__main__":
    seconds = _export(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
    print_json((seconds, peak_mib()))
