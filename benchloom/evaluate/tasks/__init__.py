"""Benchmarks as inspect_ai tasks, one per protocol: `inspect eval benchloom/appbench -T ...`.

inspect_ai finds this package by the entry point `benchloom` and registers the tasks at import.
Only this package knows inspect_ai; prompts and scores come from `benchloom.evaluate`.
"""

from inspect_ai import Task, task
from inspect_ai.model import GenerateConfig

from benchloom.evaluate.acting.choosing import ROUNDS, WORLDS, WorldChoice
from benchloom.evaluate.benchmark import Rules
from benchloom.evaluate.model_requests import PAPER, Choice
from benchloom.evaluate.protocols import PROTOCOLS
from benchloom.evaluate.tasks.scoring import figures, judged
from benchloom.evaluate.tasks.solving import MAX_TOKENS, ask_model, samples_of
from benchloom.evaluate.tasks.worlds import world_task
from benchloom.exchange.examples.distractors import Hardness


def task_of(choice: Choice) -> Task:
    """Create the inspect_ai task for the settings in `choice`; temperature 0, as papers ask."""
    return Task(
        dataset=samples_of(choice),
        solver=ask_model(choice.as_plain()),
        scorer=judged(choice.as_plain()),
        metrics=[figures(choice.benchmark, choice.rules)],
        config=GenerateConfig(temperature=0, max_tokens=MAX_TOKENS),
    )


def name_of(benchmark: str) -> str:
    """The name of a benchmark's task in inspect_ai, without its package."""
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
    """Create the task of worlds, where a model is judged by the state that its calls leave."""
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
