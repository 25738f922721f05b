"""Connect to a Dask scheduler, send requests to its workers, and report their failures."""

import flows.run.engines._dask_settings  # isort: skip  settings before distributed
import logging
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from multiprocessing import forkserver, get_context
from pathlib import Path
from typing import Any

import dask
from distributed import Client, Future, KilledWorker, LocalCluster
from distributed.comm import CommClosedError

from benchloom.storage.stages import SHARDS, ShardMark
from flows.errors import AGAIN, EngineError, MemoryRunError, is_memory_fault
from flows.run.engines import EngineRequest
from flows.run.engines._address import CONNECTS_WITHIN, no_scheduler_message
from flows.run.engines._dask_settings import OWN_CLUSTER
from flows.run.engines._remote import (
    Facts,
    WorkFile,
    answers,
    call,
    facts_here,
    look,
    make,
    probe_for,
)
from flows.run.processes import PRELOADED
from flows.run.processes.pool import call_name

__all__ = ["Cluster", "flows", "opened"]

_LOOKS_EVERY = 2.0
_COMES_WITHIN = 60.0
"""Seconds to wait for a new worker when none is left, or for a file of a worker to appear here."""


@contextmanager
def opened(request: EngineRequest, folder: Path) -> Iterator["Cluster"]:
    """Connect to the cluster at an address, or start a local cluster that ends with the block.

    Raises:
        EngineError: the cluster cannot be reached, or its workers have other versions of the code,
            so that they would write other bytes than this process.
    """
    with ExitStack() as stack:
        if request.address is None:
            stack.enter_context(dask.config.set(OWN_CLUSTER))
            cluster = stack.enter_context(_of_this_machine(request.workers, folder))
            client = stack.enter_context(Client(cluster, set_as_default=False))
            yield Cluster(client, "the cluster of this machine")
            return
        client = stack.enter_context(_client_of(request.address))
        remote_cluster = Cluster(client, f"the scheduler at {request.address}")
        remote_cluster.require(folder, request)
        yield remote_cluster


def _of_this_machine(workers: int, folder: Path) -> LocalCluster:
    """Start a scheduler and worker processes on this machine, without the dashboard."""
    _start_fork_server()
    return LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        scheduler_kwargs={"dashboard": False},
        silence_logs=logging.CRITICAL,
        memory_limit=None,
        local_directory=str(folder),
    )


def _start_fork_server() -> None:
    """Start the server that forks workers, and let it import every module that workers need.

    By default this server imports only Dask, and then every worker would import benchloom again.
    """
    get_context("forkserver").set_forkserver_preload([*PRELOADED, __name__])
    forkserver.ensure_running()


def _client_of(address: str) -> Client:
    try:
        return Client(address, set_as_default=False, timeout=CONNECTS_WITHIN)
    except (OSError, ValueError) as error:
        raise EngineError(no_scheduler_message(address)) from error


class Cluster:
    """The workers of a Dask client; `name` stands for the scheduler in error messages."""

    def __init__(self, client: Client, name: str) -> None:
        self._client = client
        self._name = name
        self._facts: Facts = facts_here()
        self._alone_since: float | None = None

    def size(self) -> int:
        """Return the number of workers."""
        return len(self._threads())

    def require(self, folder: Path, request: EngineRequest) -> None:
        """Check that every worker can make the shards of this run.

        Raises:
            EngineError: there are no workers, or a worker cannot take part; the message has one
                line for each fault.
        """
        threads = self._threads()
        if not threads:
            raise EngineError(
                f"{self._name} has no workers; start workers and run the command again"
            )
        faults = [
            f"worker {worker}: has {count} threads, but must make one shard at a time; start it "
            "with --nthreads 1"
            for worker, count in sorted(threads.items())
            if count != 1
        ]
        if not faults:
            probe = probe_for(folder, request.inputs)
            try:
                replies = self._client.run(look, probe, on_error="return")
            except CommClosedError as error:
                raise self._lost() from error
            worker_faults = ((worker, _refusal(reply)) for worker, reply in sorted(replies.items()))
            faults = [
                f"worker {worker}: {fault}" for worker, fault in worker_faults if fault is not None
            ]
            if not faults and not _all_arrived(folder, probe.token.encode(), len(replies)):
                faults.append(
                    f"{request.workspace}: files that workers write there are not visible on this "
                    f"machine; share the folder with all workers"
                )
        if faults:
            raise EngineError("\n".join(faults))

    def make_shard(self, work_file: WorkFile, folder: Path, number: int, name: str) -> ShardMark:
        """Make a shard on a worker; return its completion record when this machine can read it.

        Error messages call the shard `name`.
        """
        # Not pure: Dask would answer a second request for the same shard with the first result.
        future = self._client.submit(make, work_file, number, pure=False)
        mark: ShardMark = self._result(future, name)
        _wait_for_mark(folder, number)
        return mark

    def calls(self, function: Callable[..., Any], *iterables: Any) -> Iterator[Any]:
        """Call a function on workers, as `map` would.

        All calls are sent before the first result is awaited. The results are in the order of the
        calls.
        """
        futures = [
            self._client.submit(call, self._facts, partial(function, *arguments), pure=False)
            for arguments in zip(*iterables, strict=False)
        ]
        return self._results(futures, call_name(function))

    def _results(self, futures: "list[Future[Any]]", name: str) -> Iterator[Any]:
        """Yield the results of futures in order, and release all futures when the caller stops."""
        try:
            for number, future in enumerate(futures, 1):
                yield self._result(future, f"{name}, part {number} of {len(futures)}")
        finally:
            for future in futures:
                future.release()

    def _result(self, future: "Future[Any]", shard_name: str) -> Any:
        try:
            while not future.done():
                with suppress(TimeoutError):
                    future.result(timeout=_LOOKS_EVERY)
                if not future.done():
                    self._require_workers()
            return future.result()
        # Results are fetched through the scheduler, which may end before or during the transfer.
        except (CancelledError, CommClosedError) as error:
            raise self._lost() from error
        except KilledWorker as error:
            attempts = error.allowed_failures + 1
            message = f"{shard_name}: all {attempts} workers that tried to make it died; {AGAIN}"
            raise EngineError(message) from error
        except Exception as error:
            if is_memory_fault(error):
                raise MemoryRunError(shard_name) from error
            raise

    def _require_workers(self) -> None:
        """Raise if the cluster has had no workers for more than a minute."""
        if self._threads():
            self._alone_since = None
            return
        now = time.monotonic()
        self._alone_since = self._alone_since or now
        if now - self._alone_since > _COMES_WITHIN:
            raise EngineError(
                f"{self._name} has no workers left; run the same command again to continue"
            )

    def _threads(self) -> dict[str, int]:
        if self._client.status != "running":
            raise self._lost()
        try:
            return dict(self._client.nthreads())
        except OSError as error:
            raise self._lost() from error

    def _lost(self) -> EngineError:
        return EngineError(
            f"{self._name} is no longer reachable; run the same command again to continue"
        )


def _refusal(reply: object) -> str | None:
    """Return why a worker cannot take part, or None if it can.

    `reply` is the worker's reply, or the error that prevented a reply.
    """
    reply_text = " ".join(str(reply).split())
    # A worker that cannot unpickle the request replies with an error that contains the reason.
    if isinstance(reply, Exception) and "No module named" in reply_text:
        return f"cannot import benchloom's code ({reply_text}); install the same versions there"
    return None if reply is None else reply_text


def _all_arrived(folder: Path, token: bytes, count: int) -> bool:
    """Whether `count` workers wrote the token into a folder, as far as this machine can see.

    The function waits up to a minute for the files of the workers.
    """
    deadline = time.monotonic() + _COMES_WITHIN
    while (arrivals := sum(answer == token for answer in answers(folder))) < count:
        if time.monotonic() > deadline:
            break
        time.sleep(0.1)
    return arrivals == count


def _wait_for_mark(folder: Path, number: int) -> None:
    """Wait until this machine can read the completion record of a finished shard.

    A shared file system may report a new file as missing for some seconds; listing the folder
    refreshes its cache.
    """
    name = f"{number:05d}.json"
    deadline = time.monotonic() + _COMES_WITHIN
    while name not in _list_names(folder / SHARDS):
        if time.monotonic() > deadline:
            raise EngineError(
                f"{folder}: a file that a worker wrote is not visible on this machine; run the "
                f"same command again to continue"
            )
        time.sleep(0.1)
    # The caches of the tables' folders must be refreshed too, before the files are read or linked.
    for entry in folder.iterdir():
        if entry.is_dir():
            _list_names(entry)


def _list_names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208  only names are needed
    except FileNotFoundError:
        return []
