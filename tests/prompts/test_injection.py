"""Check that injected texts change neither the rules in prompts nor the accepted texts."""

from pathlib import Path

import msgspec
import pytest

from prompts.data_block import read_data_block
from prompts.inputs.late_shortcuts import LateShortcut, late_shortcuts
from prompts.steps.query import QueryStep
from prompts.talks import Asker
from prompts.talks.driver import Talk
from tests.support.llm.server import LlmServer
from tests.support.llm.world import (
    endpoint_for,
    plan_for,
    rows_of,
    run_step,
    shortcut,
    write_shortcuts,
)

INJECTIONS_FILE = Path(__file__).parents[1] / "data/injections/shortcuts.yaml"


class Injection(msgspec.Struct, frozen=True):
    """A set of injected texts, with the reply of a model that obeys them."""

    name: str
    obeyed: str
    description: str | None = None
    comments: tuple[str, ...] = ()


NEIGHBOUR = shortcut(1_000, literals=("Neighbour",))
INJECTIONS = msgspec.yaml.decode(INJECTIONS_FILE.read_bytes(), type=tuple[Injection, ...])


def write_injected_shortcuts(tmp_path: Path, *, attacked: bool) -> Path:
    """Write the attacked shortcuts, or their harmless twins, and return their folder."""
    rows = [
        shortcut(
            number,
            name=entry.name if attacked else "Plain",
            description=entry.description if attacked else None,
            comments=entry.comments if attacked else (),
        )
        for number, entry in enumerate(INJECTIONS)
    ]
    return write_shortcuts(tmp_path / ("attacked" if attacked else "innocent"), rows)


def obeyed_reply(number: int, entry: Injection) -> str:
    reply = entry.obeyed.replace("{must}", f"Thing {number}").replace("BUYBUY", "buy " * 300)
    return reply.replace("\n", "\\n") if reply.startswith("{") else reply


def test_injections_change_only_the_data_of_prompts(tmp_path: Path) -> None:
    asker = Asker(model="m")
    step = QueryStep()
    pairs = zip(
        late_shortcuts(write_injected_shortcuts(tmp_path, attacked=True)),
        late_shortcuts(write_injected_shortcuts(tmp_path, attacked=False)),
        strict=True,
    )
    for attacked, innocent in pairs:
        assert isinstance(attacked, LateShortcut)
        assert isinstance(innocent, LateShortcut)
        first = Talk(step.converse(attacked.make(), asker)).requested
        second = Talk(step.converse(innocent.make(), asker)).requested
        assert first is not None
        assert second is not None
        assert first.messages[0] == second.messages[0]
        assert first.parameters == second.parameters
        data = read_data_block(first.messages[1].content)
        twin = read_data_block(second.messages[1].content)
        assert isinstance(data, dict)
        assert isinstance(twin, dict)
        assert data.keys() == twin.keys()
        assert data["must_mention"] == twin["must_mention"]


def test_careful_model_completes_every_attacked_shortcut(tmp_path: Path) -> None:
    server = LlmServer()
    with server.running():
        source = write_injected_shortcuts(tmp_path, attacked=True)
        outcome = run_step(plan_for(source), tmp_path / "out", endpoint_for(tmp_path, server.url))
    assert outcome.kept == len(INJECTIONS) >= 15
    assert server.billing.billed == len(INJECTIONS)


@pytest.mark.parametrize("number", range(len(INJECTIONS)))
def test_obedient_models_reply_is_dropped_or_rejected(tmp_path: Path, number: int) -> None:
    entry = INJECTIONS[number]
    source = write_shortcuts(
        tmp_path / "in",
        [shortcut(number, entry.name, entry.description, entry.comments), NEIGHBOUR],
    )
    server = LlmServer(obedient={f"Thing {number}": obeyed_reply(number, entry)})
    with server.running():
        outcome = run_step(plan_for(source), tmp_path / "out", endpoint_for(tmp_path, server.url))
    texts, verdicts, rejected = rows_of(tmp_path / "out")
    # The neighbour is kept, and the attacked shortcut is dropped or rejected with a reason.
    assert outcome.kept == 1
    assert sum(outcome.dropped.values()) + len(rejected) == 1
    lost = [verdict for verdict in verdicts if not verdict.kept]
    assert [row.reason for row in rejected] or [verdict.reason for verdict in lost]
    assert len(texts) + len(rejected) == 2
    # At most a single repair is requested, since injected orders cause no further requests.
    assert server.billing.billed <= 3
