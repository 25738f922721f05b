"""Benchmarks as tasks of inspect_ai, for commands such as `inspect eval benchloom/appbench`.

There is one task for each benchmark with a protocol, and one for worlds. inspect_ai finds this
package by the entry point `benchloom` and registers the tasks at import. Only this package depends
on inspect_ai; prompts and scores come from `benchloom.evaluate`.
"""

import msgspec
import numpy as np
from inspect_ai import Task, task
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmark import Rules
from benchloom.evaluate.benchmarks import BENCHMARKS
from benchloom.evaluate.model_requests import PAPER, Choice, requests_of
from benchloom.evaluate.protocol import as_json
from benchloom.evaluate.protocols import PROTOCOLS
from benchloom.evaluate.scoring import values_of
from benchloom.evaluate.tasks.solver import MAX_TOKENS, OUTPUT, ask_model, samples_of
from benchloom.evaluate.tasks.worlds import world_task
from benchloom.evaluate.world_runs.selection import ROUNDS, WORLDS, WorldChoice
from benchloom.exchange.examples.distractors import Hardness

SAMPLES = "samples"


def task_of(choice: Choice) -> Task:
    """Return the inspect_ai task for the settings of a model run, with temperature 0."""
    return Task(
        dataset=samples_of(choice),
        solver=ask_model(choice.as_plain()),
        scorer=judged(choice.as_plain()),
        metrics=[figures(choice.benchmark, choice.rules)],
        config=GenerateConfig(temperature=0, max_tokens=MAX_TOKENS),
    )


def name_of(benchmark: str) -> str:
    """Return the name of a benchmark's task in inspect_ai, without the package `benchloom/`."""
    return benchmark.replace("-", "_")


def _register(benchmark: str) -> None:
    @task(name=name_of(benchmark))
    def evaluated(
        release: str,
        *,
        split: str = "",
        protocol: str = PAPER,
        limit: int | None = None,
        seed: int = 0,
        distractors: int | None = None,
        hardness: Hardness = "random",
        shots: int = 0,
        rules: Rules = "right",
    ) -> Task:
        return task_of(
            Choice(
                benchmark=benchmark,
                gold=str(release),
                split=split,
                protocol=protocol,
                limit=limit,
                seed=seed,
                distractors=distractors,
                hardness=hardness,
                shots=shots,
                rules=rules,
            )
        )


@task(name=WORLDS)
def worlds(
    release: str,
    *,
    split: str = "",
    limit: int | None = None,
    seed: int = 0,
    distractors: int | None = None,
    epochs: int = 1,
    rounds: int = ROUNDS,
) -> Task:
    """Return the inspect_ai task in which models use tools in a simulated world.

    A model is judged by the state in which its calls leave the world.
    """
    return world_task(
        WorldChoice(
            gold=str(release),
            split=split,
            limit=limit,
            seed=seed,
            distractors=distractors,
            epochs=epochs,
            rounds=rounds,
        )
    )


for _benchmark in PROTOCOLS.names():
    _register(_benchmark)


@metric
def figures(benchmark: str, rules: Rules) -> Metric:
    """Return an inspect_ai metric that computes all metrics of a benchmark from sums of counts."""

    def of(scores: list[SampleScore]) -> Value:
        sums: dict[str, float] = {}
        for sample_score in scores:
            for name, count in sample_score.score.value.items():
                sums[name] = sums.get(name, 0.0) + float(count)
        sums[SAMPLES] = float(len(scores))
        return values_of(
            {name: np.array([value]) for name, value in sums.items()},
            BENCHMARKS.find(benchmark).metrics(rules),
        )

    return of


@scorer(metrics=[])
def judged(choice: dict[str, Plain]) -> Scorer:
    """Return an inspect_ai scorer that judges outputs with the benchmark in `choice`.

    The explanation of a score contains the outcome and the faults.
    """

    async def score(state: TaskState, target: Target) -> Score:
        del target  # the target is only a text; the sample contains the gold
        run_choice = msgspec.convert(choice, Choice)
        chosen = requests_of(run_choice)
        output = state.store.get(OUTPUT)
        verdict = chosen.benchmark.judge(
            chosen.samples[str(state.sample_id)], output, run_choice.rules
        )
        findings = [
            {"kind": finding.kind, "message": finding.message} for finding in verdict.findings
        ]
        lines = [
            verdict.outcome,
            *(f"{finding.kind}: {finding.message}" for finding in verdict.findings),
        ]
        return Score(
            value={SAMPLES: 1.0, **verdict.counts},
            answer=output if isinstance(output, str) else as_json(output),
            explanation="\n".join(lines),
            metadata={"outcome": verdict.outcome, "findings": findings, OUTPUT: output},
        )

    return score
