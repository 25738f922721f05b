"""Chance damage to a completion log, and what a run over the damaged file comes to."""

import random
import shutil
from pathlib import Path

import msgspec

from benchloom.core.errors import BenchloomError
from flows.stages.generate.plan import Endpoint
from prompts.ledger.log import read_completions, verify_log
from tests.support.llm.server import LlmServer
from tests.support.llm.world import endpoint_for, plan_for, run_step, shortcuts_folder, table_bytes


def damage(data: bytes, luck: random.Random) -> bytes:
    """One to eight changed bits or bytes, a lost or zeroed stretch, or a missing end."""
    changed = bytearray(data)
    kind = luck.random()
    if kind < 0.5:
        changed[luck.randrange(len(changed))] ^= 1 << luck.randrange(8)
    elif kind < 0.7:
        for _ in range(luck.randint(1, 8)):
            changed[luck.randrange(len(changed))] = luck.randrange(256)
    elif kind < 0.9:
        start, size = luck.randrange(len(changed)), luck.choice([1, 16, 512, 4_096])
        changed[start : start + size] = b"" if luck.random() < 0.5 else bytes(size)
    else:
        del changed[luck.randrange(len(changed)) :]
    return bytes(changed)


class DamagedLogs:
    """A finished run, whose log is damaged again and again; `server` serves all the while."""

    def __init__(self, work: Path, server: LlmServer, rows: int = 6) -> None:
        self._work = work
        self._server = server
        self._plan = plan_for(shortcuts_folder(work / "in", rows))
        self._endpoint = endpoint_for(work, server.url)
        run_step(self._plan, work / "out", self._endpoint)
        self.log = self._endpoint.log.read_bytes()
        self._right = self._outcome(self._endpoint, "right")

    def outcome(self, data: bytes) -> str:
        """`found` for a typed fault of one line that names the file, `harmless` for the same end.

        Raises:
            AssertionError: the damage changed something without a word.
        """
        endpoint = msgspec.structs.replace(self._endpoint, log=self._work / "damaged.sqlite")
        for path in self._work.glob("damaged.sqlite*"):
            path.unlink()
        endpoint.log.write_bytes(data)
        try:
            new_outcome = self._outcome(endpoint, "again")
        except BenchloomError as error:
            assert "damaged.sqlite" in str(error), error
            assert "\n" not in str(error), error
            return "found"
        assert new_outcome == self._right
        return "harmless"

    def _outcome(self, endpoint: Endpoint, name: str) -> tuple[object, ...]:
        """All that a log gives: rows of the next run, its price, the export, and no findings."""
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
