"""This benchmark measures text generation with a local endpoint, and reruns from the log.

The endpoint is a separate process that replies after 200 ms. So 2,000 requests with 32 in flight
would ideally take 12.5 s. The texts are generated in a new process, so that its peak memory can be
measured.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from benchmarks._processor import apart, peak_mib, print_json

REQUESTS = 2_000
CONCURRENCY = 32
LATENCY = 0.2
MAX_MEBIBYTES = 150
RERUN_ROWS_PER_SECOND = 2_000


class RunTimes(msgspec.Struct, frozen=True):
    """The figures of a run and of a rerun that reads all replies from the log.

    `first` and `again` are their seconds, `rows` is the number of rows of each, and `mebibytes` the
    peak memory of the first run.
    """

    first: float
    again: float
    rows: int
    mebibytes: float


def ratios() -> list[tuple[str, float, str]]:
    """Return each figure relative to its target, for one and for two processes that check texts."""
    return [*_figures(1, ""), *_figures(2, ", two processes")]


def _figures(workers: int, processes: str) -> list[tuple[str, float, str]]:
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        _make_input(work)
        with subprocess.Popen(
            [sys.executable, "-m", "tests.support.llm.server", str(LATENCY)],
            stdout=subprocess.PIPE,
            text=True,
        ) as server:
            try:
                url = _first_line(server).partition("=")[2]
                times = apart(RunTimes, "benchmarks.llm", work, url, workers)
            finally:
                server.terminate()
    ideal = REQUESTS * LATENCY / CONCURRENCY
    return [
        (
            f"ideal time of 2,000 requests over their time{processes}",
            ideal / times.first,
            ">= 0.9",
        ),
        (
            f"rows per second from the log over 2,000{processes}",
            times.rows / times.again / RERUN_ROWS_PER_SECOND,
            ">= 1",
        ),
        (f"peak memory over 150 MiB{processes}", times.mebibytes / MAX_MEBIBYTES, "<= 1"),
    ]


def _first_line(server: "subprocess.Popen[str]") -> str:
    return "" if server.stdout is None else server.stdout.readline().strip()


def _make_input(work: Path) -> None:
    from tests.support.llm.world import price_file, shortcuts_folder

    shortcuts_folder(work / "in", REQUESTS)
    price_file(work)


def run(work: Path, url: str, workers: int) -> RunTimes:
    """Generate the texts twice, the second time from the log, and return the figures."""
    from flows.run.processes.lean import skip_pandas

    skip_pandas()  # as the command does
    from flows.stages.generate.model import run_model
    from flows.stages.generate.plan import Endpoint, GeneratePlan
    from prompts.endpoint.limits import Limits

    plan = GeneratePlan(step="query", source=work / "in", model="test-model")
    endpoint = Endpoint(
        log=work / "log.sqlite",
        base_url=url,
        limits=Limits(concurrency=CONCURRENCY),
        prices=work / "prices.yaml",
        max_usd=10.0,
    )
    start = time.perf_counter()
    outcome = run_model(plan, work / "first", endpoint, workers=workers)
    first = time.perf_counter() - start
    peak = peak_mib()
    start = time.perf_counter()
    run_model(plan, work / "again", endpoint, workers=workers)
    again = time.perf_counter() - start
    return RunTimes(first, again, outcome.objects, peak)


if __name__ == "__main__":
    print_json(run(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
