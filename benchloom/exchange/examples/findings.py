"""Find the faults of examples: faults that the reader noted, violated rules, and duplicates."""

from collections.abc import Iterator, Mapping

import msgspec

from benchloom.core.records.values import refs_in
from benchloom.exchange.examples.example import Example, Finding
from benchloom.exchange.examples.plans import plan_of
from benchloom.normalise.plans.gate import ApiShape, check_plan

UNKNOWN_API = "unknown_api"


def findings_of(
    example: Example, shapes: Mapping[str, ApiShape], *, known_apis: bool = True
) -> tuple[Finding, ...]:
    """Return the distinct faults of one example; the class `Repeats` finds duplicate examples.

    `shapes` maps `Call.definition_id` to the parameters and outputs of the API. `known_apis` is
    false if the dataset has no definitions; then an unknown API is not a fault.
    """
    all_findings = [*example.findings]
    if example.request is not None and not example.request.strip():
        all_findings.append(Finding("empty_query", "the request is empty"))
    if not (example.is_plan or example.turns):
        all_findings.append(Finding("no_calls", "the record has neither calls nor tools"))
    if example.calls:
        broken = check_plan(plan_of(example), shapes)
        all_findings += [Finding(violation.reason, violation.message) for violation in broken]
    all_findings += _of_answer(example)
    if not known_apis:
        all_findings = [finding for finding in all_findings if finding.kind != UNKNOWN_API]
    return tuple(dict.fromkeys(all_findings))


def _of_answer(example: Example) -> Iterator[Finding]:
    if example.answer is msgspec.UNSET:
        return
    for ref in refs_in(example.answer):
        if not 0 <= ref.step < len(example.calls):
            yield Finding("unreachable_step", f"answer <- step {ref.step}")
        elif ref.output is not None and ref.output not in example.calls[ref.step].returns:
            yield Finding("undeclared_output", f"answer <- {ref.step}.{ref.output}")


class Repeats:
    """Finds duplicate examples, which have the same id, or the same calls and request."""

    def __init__(self) -> None:
        self._ids: dict[tuple[str, str], str] = {}
        self._first: dict[tuple[str, str, str], str] = {}

    def of(self, example: Example) -> tuple[Finding, ...]:
        """Return a fault if the example duplicates an earlier example; remember the example.

        Two repetitions are no faults: equal calls in records without requests, which show the same
        plan, and equal calls in records with the same id and different requests.
        """
        source_key = (example.source_uri, example.source_id)
        previous_target = self._ids.get(source_key)
        self._ids.setdefault(source_key, example.target_id)
        has_other_request = example.is_plan and example.request is not None
        again = previous_target is not None and not (
            has_other_request and previous_target == example.target_id
        )
        if example.is_plan and example.request is not None:
            plan_id = plan_of(example).path_id
            content = (example.target_id, plan_id, example.request.strip())
            first = self._first.get(content)
            if first is not None:
                return (Finding("duplicate", f"of {first}"),)
            self._first[content] = f"{example.source_uri} {example.source_id}"
        return (Finding("repeated_id", example.source_id),) if again else ()
