"""Check that a trainer takes the export, with ten steps of a tiny random model."""

import json
import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from benchloom.exchange.examples.releases import Choice
from flows.stages.export import export_release
from tests.support.python import python
from tests.support.samples.plan_release import plan_release, plans
from tests.support.ten_steps import STEPS

MISSING = [name for name in ("torch", "transformers", "trl") if find_spec(name) is None]


@pytest.mark.slow
@pytest.mark.skipif(bool(MISSING), reason=f"a training loop needs {', '.join(MISSING)}")
def test_ten_training_steps_reduce_the_loss(tmp_path: Path) -> None:
    release = plan_release(tmp_path / "r", list(plans(40)))
    export_release(release, "trl", tmp_path / "trl", Choice())
    offline_environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    done = python("-m", "tests.support.ten_steps", tmp_path / "trl", env=offline_environment)
    (line,) = [
        output_line for output_line in done.stdout.splitlines() if output_line.startswith("losses ")
    ]
    losses = json.loads(line.removeprefix("losses "))
    assert len(losses) == STEPS
    assert losses[-1] < losses[0]
