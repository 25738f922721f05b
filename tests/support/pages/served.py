"""Serve the explorer of a release from a thread of this process."""

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
def serve_release(folder: Path, log: Path | None = None, count: int = 3) -> Iterator[str]:
    """Serve a release, with a review of some texts if `log` is given; yield the address."""
    release = OpenRelease(folder)
    review = None
    if log is not None:
        table = pq.read_table(folder / "queries", columns=["query_id"])
        review = Review(AnswerLog(log, "ann"), table["query_id"].to_pylist()[:count])
    is_ready = threading.Event()
    with socket.socket() as listening_socket:
        listening_socket.bind(("127.0.0.1", 0))
        config = uvicorn.Config(
            application(release, ready=is_ready.set, review=review),
            log_config=None,
            access_log=False,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening_socket]})
        thread.start()
        try:
            assert is_ready.wait(60)
            yield f"http://127.0.0.1:{listening_socket.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
            release.close()
