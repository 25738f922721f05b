"""The run of a shortcut on the simulated device as the table `executions` holds it."""

import msgspec


class ExecutedStep(msgspec.Struct, frozen=True, gc=False):
    """One executed step; `shortcut` is a nested one, empty for the shortcut itself."""

    step: int
    shortcut: str
    identifier: str
    output: str


class ExecutionQuestion(msgspec.Struct, frozen=True, gc=False):
    """What a person, the web or another app was asked, and the made answer as text."""

    step: int
    shortcut: str
    prompt: str
    choices: tuple[str, ...]
    answer: str


class ExecutionEffect(msgspec.Struct, frozen=True, gc=False):
    """What a step did to the device or would have sent out of it; `details` are JSON."""

    step: int
    kind: str
    details: str


class Execution(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the table `executions`; the first three fields identify the shortcut's row."""

    shortcut_id: str
    source_digest: str
    source_uri: str
    split: str | None
    execution_id: str
    outcome: str
    reason: str
    steps: int
    trace: tuple[ExecutedStep, ...]
    questions: tuple[ExecutionQuestion, ...]
    effects: tuple[ExecutionEffect, ...]
    output: str
    everyday: str | None
