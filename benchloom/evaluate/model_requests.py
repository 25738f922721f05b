"""Choose the samples of a model run, and build the prompts for them."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

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
from benchloom.evaluate.sample_choice import Selection, of_split
from benchloom.evaluate.tool_calling import ask_with_tools, output_of_tools
from benchloom.exchange.examples import Call, Example
from benchloom.exchange.examples.distractors import Distraction, Distractors, Hardness
from benchloom.exchange.examples.releases import read_definitions
from benchloom.storage.inputs import refuse_missing

PAPER = "paper"  # stands for the usual variant of a benchmark
TRAIN = "train"


class Choice(Selection, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a model run on a benchmark.

    `distractors` is the number of unneeded tools in each prompt; None means the number that the
    benchmark's paper uses.
    """

    benchmark: str
    protocol: str = PAPER  # a variant of the benchmark's protocol
    hardness: Hardness = "random"
    shots: int = 0  # number of worked examples, from the split train if there is one
    rules: Rules = "right"


class ModelRequests:
    """Builds the prompts for the samples of a model run, and converts the replies to outputs.

    Raises RunError if the benchmark, protocol or split is unknown, or there are too many worked
    examples (`shots`).
    """

    def __init__(self, choice: Choice) -> None:
        self.choice = choice
        self.benchmark: Benchmark = BENCHMARKS.find(choice.benchmark)
        self.protocol: Protocol = PROTOCOLS.find(choice.benchmark)
        self.variant = _variant(self.protocol, choice)
        gold = Path(choice.gold)
        refuse_missing(gold)
        samples = [sample for sample in self.benchmark.read_gold(gold) if _has_request(sample)]
        if not samples:
            raise NothingReadError(f"{gold}: no sample has a request; pass gold with requests")
        split_samples = list(of_split(samples, choice.split))
        chosen = choice.drawn(split_samples, lambda sample: sample.sample_id)
        self.samples = {sample.sample_id: sample for sample in chosen}
        self._pool = _pool(samples, choice) if choice.shots else []
        tools = _tools_of(samples)
        self._definitions = read_definitions(gold) if is_release(gold) else tools
        shows_all = self.protocol.shows_all_tools and choice.distractors is None
        self._catalogue = tuple(tools.values()) if shows_all and self.variant != TOOLS else ()
        self._distractors: dict[int, Distractors] = {}

    def ask(self, sample: Sample, replies: Sequence[Reply]) -> Prompt | None:
        """Return the next prompt for a sample, or None if no further reply is needed."""
        if self.variant == TOOLS:
            return ask_with_tools(sample, replies, self.with_distractors(sample))
        wide = replace(sample, example=self.with_distractors(sample))
        return self.protocol.ask(self.variant, wide, replies, self._setting(sample))

    def output(self, sample: Sample, replies: Sequence[Reply]) -> Plain:
        """Combine the replies into an output, which `Benchmark.judge` accepts."""
        if self.variant == TOOLS:
            return output_of_tools(sample, replies, self.with_distractors(sample), self.benchmark)
        return self.protocol.output(self.variant, replies)

    def _setting(self, sample: Sample) -> Setting:
        return Setting(
            benchmark=self.benchmark, catalogue=self._catalogue, shots=tuple(self._shots(sample))
        )

    def _shots(self, sample: Sample) -> Sequence[Sample]:
        # Leaves out samples with the same plan, and prefers the same apps if all tools are shown.
        apps = _apps(sample.example)
        others = [
            other for other in self._pool if other.example.target_id != sample.example.target_id
        ]
        if self.protocol.shows_all_tools:
            others.sort(key=lambda other: _apps(other.example) != apps)
        return others[: self.choice.shots]

    def with_distractors(self, sample: Sample) -> Example:
        """Return the example of a sample with all tools that its prompt shows.

        These are the tools of the sample, and distractors, which are tools that the sample does not
        need.
        """
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
def requests_of(choice: Choice) -> ModelRequests:
    """Return the cached `ModelRequests` for some settings, so that gold is read only once."""
    return ModelRequests(choice)


def _variant(protocol: Protocol, choice: Choice) -> str:
    variant_names = (*protocol.variants, TOOLS)
    variant = variant_names[0] if choice.protocol == PAPER else choice.protocol
    if variant not in variant_names:
        raise RunError(
            f"{choice.benchmark} has no protocol '{variant}'; known: {', '.join(variant_names)}"
        )
    if choice.hardness == "similar":
        raise RunError(
            "the hardness of a model run must be 'random' or 'same-app'; 'similar' is not supported"
        )
    most = 0 if variant == TOOLS else protocol.most_shots
    if not 0 <= choice.shots <= most:
        raise RunError(
            f"{choice.benchmark} with protocol {variant} takes 0 to {most} shots, "
            f"not {choice.shots}"
        )
    return variant


def _has_request(sample: Sample) -> bool:
    has_user_turn = any(turn.role == "user" and turn.text.strip() for turn in sample.example.turns)
    return has_user_turn or bool((sample.example.request or "").strip())


def _pool(samples: Sequence[Sample], choice: Choice) -> list[Sample]:
    # Returns samples of train, else samples that are not evaluated, in a random order.
    candidates = [
        sample for sample in samples if not choice.split or sample.example.split != choice.split
    ]
    candidates = [sample for sample in candidates if sample.example.split == TRAIN] or candidates
    if len({sample.example.target_id for sample in candidates}) <= choice.shots:
        raise RunError(
            f"{choice.gold}: too few samples for {choice.shots} shots; ask for fewer shots"
        )
    return sorted(candidates, key=lambda sample: rank(choice.seed, sample.sample_id))


def _tools_of(samples: Sequence[Sample]) -> dict[str, ApiDefinition]:
    return {
        definition.definition_id: definition
        for sample in samples
        for definition in sample.example.definitions
    }


def _apps(example: Example) -> Counter[str]:
    return Counter(call.app for call in example.calls)
