"""Damage completion logs at random, and run a step with the damaged logs."""

import random
import shutil
from pathlib import Path

import msgspec

from benchloom.core.errors import BenchloomError
from flows.stages.generate.plan import Endpoint
from prompts.ledger.log import read_completions, verify_log
from tests.support.llm.server import LlmServer
from tests.support.llm.world import endpoint_for, plan_for, run_step, shortcuts_folder, table_bytes


def damage(data: bytes, rng: random.Random) -> bytes:
    """Return a copy with a flipped bit, changed bytes, a lost or zeroed stretch, or no end."""
    changed = bytearray(data)
    kind = rng.random()
    if kind < 0.5:
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    elif kind < 0.7:
        for _ in range(rng.randint(1, 8)):
            changed[rng.randrange(len(changed))] = rng.randrange(256)
    elif kind < 0.9:
        start, size = rng.randrange(len(changed)), rng.choice([1, 16, 512, 4_096])
        changed[start : start + size] = b"" if rng.random() < 0.5 else bytes(size)
    else:
        del changed[rng.randrange(len(changed)) :]
    return bytes(changed)


class DamagedLogs:
    """A finished run whose log is damaged repeatedly while `server` keeps running."""

    def __init__(self, work: Path, server: LlmServer, rows: int = 6) -> None:
        self._work = work
        self._server = server
        self._plan = plan_for(shortcuts_folder(work / "in", rows))
        self._endpoint = endpoint_for(work, server.url)
        run_step(self._plan, work / "out", self._endpoint)
        self.log = self._endpoint.log.read_bytes()
        self._expected_results = self._results(self._endpoint, "right")

    def outcome(self, data: bytes) -> str:
        """Return `found` if an error names the file, or `harmless` if no result changes.

        Raises:
            AssertionError: a result changed without an error, or the error has several lines.
        """
        endpoint = msgspec.structs.replace(self._endpoint, log=self._work / "damaged.sqlite")
        for path in self._work.glob("damaged.sqlite*"):
            path.unlink()
        endpoint.log.write_bytes(data)
        try:
            results = self._results(endpoint, "again")
        except BenchloomError as error:
            assert "damaged.sqlite" in str(error), error
            assert "\n" not in str(error), error
            return "found"
        assert results == self._expected_results
        return "harmless"

    def _results(self, endpoint: Endpoint, name: str) -> tuple[object, ...]:
        """Return the log's export and findings, and the rows and costs of a run with it."""
        billed = self._server.billing.billed
        exported = tuple(read_completions(endpoint.log))
        findings = verify_log(endpoint.log)
        out = self._work / name
        shutil.rmtree(out, ignore_errors=True)
        spending = run_step(self._plan, out, endpoint).spending
        return (
            exported,
            findings,
            table_bytes(out),
            spending,
            self._server.billing.billed - billed,
        )
