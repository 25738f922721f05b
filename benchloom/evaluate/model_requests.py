"""Choose the samples of a model run, and build their prompts."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import cast

import msgspec
from msgspec.structs import replace

from benchloom.core.errors import NothingReadError, RunError
from benchloom.core.identity import rank
from benchloom.core.records import ApiDefinition
from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmark import Benchmark, Rules, Sample
from benchloom.evaluate.benchmarks import BENCHMARKS
from benchloom.evaluate.gold import is_release
from benchloom.evaluate.protocol import TOOLS, Prompt, Protocol, Reply, Setting
from benchloom.evaluate.protocols import PROTOCOLS
from benchloom.evaluate.tool_calling import ask_with_tools, output_of_tools
from benchloom.exchange.examples import Call, Example
from benchloom.exchange.examples.distractors import Distraction, Distractors, Hardness
from benchloom.exchange.examples.releases import read_definitions
from benchloom.storage.inputs import refuse_missing

PAPER = "paper"  # means the usual variant of a benchmark
TRAIN = "train"


class Choice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings that decide which samples a model run has, and how they are prompted."""

    benchmark: str
    gold: str  # a release, or published files
    split: str = ""  # empty for all
    protocol: str = PAPER  # a variant of the benchmark's protocol
    limit: int | None = None  # samples drawn by `seed`; None for all
    seed: int = 0
    distractors: int | None = None  # tools to add to those of each sample; None: the paper's number
    hardness: Hardness = "random"
    shots: int = 0  # worked examples, of the split train if there is one
    rules: Rules = "right"

    def as_plain(self) -> dict[str, Plain]:
        """Return the choice as plain values, as written to logs."""
        return cast("dict[str, Plain]", msgspec.to_builtins(self))


class Asking:
    """The samples of a run; builds their prompts, and converts model replies to outputs.

    Raises:
        RunError: the choice is invalid: no such benchmark, protocol or split, too many shots.
    """

    def __init__(self, choice: Choice) -> None:
        self.choice = choice
        self.benchmark: Benchmark = BENCHMARKS.find(choice.benchmark)
        self.protocol: Protocol = PROTOCOLS.find(choice.benchmark)
        self.variant = _variant(self.protocol, choice)
        gold = Path(choice.gold)
        refuse_missing(gold)
        samples = [sample for sample in self.benchmark.read_gold(gold) if _asks(sample)]
        if not samples:
            raise NothingReadError(f"{gold}: no sample has a request; pass gold with requests")
        split_samples = _of_split(samples, choice)
        self.samples = {sample.sample_id: sample for sample in _drawn(split_samples, choice)}
        self._pool = _pool(samples, split_samples, choice) if choice.shots else []
        tools = _tools_of(samples)
        self._definitions = read_definitions(gold) if is_release(gold) else tools
        tells_all = self.protocol.tells_all and choice.distractors is None
        self._catalogue = tuple(tools.values()) if tells_all and self.variant != TOOLS else ()
        self._distractors: dict[int, Distractors] = {}

    def ask(self, sample: Sample, replies: Sequence[Reply]) -> Prompt | None:
        """Return the next prompt about a sample; None if no further reply is needed."""
        if self.variant == TOOLS:
            return ask_with_tools(sample, replies, self.widened(sample))
        wide = replace(sample, example=self.widened(sample))
        return self.protocol.ask(self.variant, wide, replies, self._setting(sample))

    def output(self, sample: Sample, replies: Sequence[Reply]) -> Plain:
        """Combine the replies into an output, which `Benchmark.judge` accepts."""
        if self.variant == TOOLS:
            return output_of_tools(sample, replies, self.widened(sample), self.benchmark)
        return self.protocol.output(self.variant, replies)

    def _setting(self, sample: Sample) -> Setting:
        return Setting(
            benchmark=self.benchmark, catalogue=self._catalogue, shots=tuple(self._shots(sample))
        )

    def _shots(self, sample: Sample) -> Sequence[Sample]:
        # Never about the same plan; the same apps come first if the protocol shows all tools.
        apps = _apps(sample.example)
        others = [
            other for other in self._pool if other.example.target_id != sample.example.target_id
        ]
        if self.protocol.tells_all:
            others.sort(key=lambda other: _apps(other.example) != apps)
        return others[: self.choice.shots]

    def widened(self, sample: Sample) -> Example:
        """Return the example of a sample with every tool in its prompt, distractors included."""
        if self._catalogue:
            return sample.example
        count = self.choice.distractors
        if count is None:
            count = self.protocol.distractors(sample, self.choice.seed)
        distractor_pool = self._distractors.get(count)
        if distractor_pool is None:
            distraction = Distraction(count, self.choice.hardness, self.choice.seed)
            distractor_pool = self._distractors[count] = Distractors(self._definitions, distraction)
        return distractor_pool.add_to(sample.example)


def gold_calls(sample: Sample) -> Sequence[Call]:
    """Return the calls that a prediction for a sample should contain."""
    calls = sample.example.calls
    return calls if sample.position is None else calls[sample.position : sample.position + 1]


@lru_cache(maxsize=2)
def asking(choice: Choice) -> Asking:
    """Return the samples and prompts of a choice; cached, so that gold is read only once."""
    return Asking(choice)


def _variant(protocol: Protocol, choice: Choice) -> str:
    variant_names = (*protocol.variants, TOOLS)
    variant = variant_names[0] if choice.protocol == PAPER else choice.protocol
    if variant not in variant_names:
        raise RunError(
            f"{choice.benchmark} has no protocol '{variant}'; known: {', '.join(variant_names)}"
        )
    if choice.hardness == "similar":
        raise RunError("hardness of a run must be 'random' or 'same-app'")
    most = 0 if variant == TOOLS else protocol.most_shots
    if not 0 <= choice.shots <= most:
        raise RunError(f"{choice.benchmark} with protocol {variant} takes 0 to {most} shots")
    return variant


def _asks(sample: Sample) -> bool:
    said = any(turn.role == "user" and turn.text.strip() for turn in sample.example.turns)
    return said or bool((sample.example.request or "").strip())


def _of_split(samples: Sequence[Sample], choice: Choice) -> list[Sample]:
    if not choice.split:
        return list(samples)
    split_samples = [sample for sample in samples if sample.example.split == choice.split]
    if not split_samples:
        split_names = ", ".join(sorted({sample.example.split or "(none)" for sample in samples}))
        raise RunError(
            f"{choice.gold}: no sample of split '{choice.split}'; there are: {split_names}"
        )
    return split_samples


def _drawn(samples: Sequence[Sample], choice: Choice) -> Sequence[Sample]:
    if choice.limit is None or choice.limit >= len(samples):
        return samples
    if choice.limit < 1:
        raise RunError("the limit of a run must be at least 1")
    best = sorted(samples, key=lambda sample: rank(choice.seed, sample.sample_id))[: choice.limit]
    chosen = {sample.sample_id for sample in best}
    return [sample for sample in samples if sample.sample_id in chosen]


def _pool(
    samples: Sequence[Sample], evaluated_samples: Sequence[Sample], choice: Choice
) -> list[Sample]:
    # Samples of the split train, else those that are not evaluated, in a seeded order.
    avoided = {sample.sample_id for sample in evaluated_samples} if choice.split else set()
    candidates = [
        sample
        for sample in samples
        if sample.example.split == TRAIN and sample.sample_id not in avoided
    ]
    if not candidates:
        candidates = [sample for sample in samples if sample.sample_id not in avoided]
    if len({sample.example.target_id for sample in candidates}) <= choice.shots:
        raise RunError(f"{choice.gold}: too few samples for {choice.shots} shots")
    return sorted(candidates, key=lambda sample: rank(choice.seed, sample.sample_id))


def _tools_of(samples: Sequence[Sample]) -> dict[str, ApiDefinition]:
    return {
        definition.definition_id: definition
        for sample in samples
        for definition in sample.example.definitions
    }


def _apps(example: Example) -> Counter[str]:
    return Counter(call.app for call in example.calls)
