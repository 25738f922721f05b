"""The explorer of a release, served from a thread of this process."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow.parquet as pq
import uvicorn

from benchloom.release.review import AnswerLog
from flows.explorer.open_release import OpenRelease
from flows.explorer.web.review import Review
from flows.explorer.web.server import application


@contextmanager
def served(folder: Path, log: Path | None = None, count: int = 3) -> Iterator[str]:
    """Serve the pages of a release, with `log` a review of a few texts; yield the address."""
    release = OpenRelease(folder)
    review = None
    if log is not None:
        table = pq.read_table(folder / "queries", columns=["query_id"])
        review = Review(AnswerLog(log, "ann"), table["query_id"].to_pylist()[:count])
    up = threading.Event()
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        config = uvicorn.Config(
            application(release, ready=up.set, review=review), log_config=None, access_log=False
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        try:
            assert up.wait(60)
            yield f"http://127.0.0.1:{bound.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
            release.close()
