"""The step that invents a request for a nested sequence of calls, whose types fit each other.

In a nested sequence, an argument of a call is the output of an earlier call.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec

from benchloom.core.identity import digest_of_parts
from benchloom.core.records import Rejected
from prompts.errors import ReplyError
from prompts.inputs.plan_parameters import label_of
from prompts.language.statements.switches import topic_of
from prompts.steps import Case, Sampling, Step, Written, prompt
from prompts.subject import Call, Subject, Value
from prompts.talks import Asker, Conversation, ask
from prompts.templates.examples import Example, Examples
from prompts.tools.call_sequence import (
    ArgumentReply,
    CallReply,
    check_calls,
    is_reference,
    nested_count,
)
from prompts.tools.sampling import ChainSampler, described, name_of, observed_links
from prompts.tools.tool import Tool, ToolParameter, read_tools

EXAMPLES = 2
REDRAWS = 40
"""Maximum number of new draws for a chain that repeats an earlier chain, or begins like too many
others."""
_SAME_START = 10
"""Besides the first, at most one in this many chains begins with the same tool."""
RULES = """
You invent one realistic task for an assistant that can call the APIs in "apis".
- "calls": the calls that solve it, in order; the first is labelled var1, the next var2, and so on.
  Every API is called at least once. Use only parameters that the API declares, all that are not
  optional, and only listed values where "values" is not empty. "is_list" marks a list of values.
- At least one argument takes an output of an earlier call, written $var1.field$ with a field from
  that API's "returns".
- "query": what a person would say to have all of that done, in English, naming every fixed value
  the calls need and no value that a call gives back. No API or parameter names, no order of
  operations.
"examples" are calls of real plans with a plain request for them; they call other APIs and show the
form, not what yours should be about or how it should sound.
"""


class NestedInput(msgspec.Struct, frozen=True):
    """The data block of the prompt: a chain of tools, and plans with other tools as examples."""

    apis: tuple[Tool, ...]
    examples: tuple[Example, ...] = ()


class NestedReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reply: calls first, then the request for them."""

    calls: tuple[CallReply, ...]
    query: str


class NestedStep(Step[NestedInput]):
    """A step that writes requests for `count` random chains of tools.

    A seed always draws the same chains.
    """

    name = "nested"
    version = "5"
    reads = ("api_definitions",)
    also_reads = ("planning_paths", "shortcuts")
    kind = "nested"
    max_tokens = 800
    expected_tokens_out = 180

    def cases(self, folder: Path, sampling: Sampling) -> Iterator[Case[NestedInput] | Rejected]:
        """Yield each random chain of tools once, with examples for the prompt."""
        sampler = ChainSampler(described(read_tools(folder)), observed_links(folder))
        examples = Examples(folder, sampling.seed)
        drawn: set[tuple[str, ...]] = {()}
        starts: Counter[str] = Counter()
        most_starts = 1 + sampling.count // _SAME_START
        for number in range(sampling.count):
            # No two cases share a draw, so a redraw never repeats the first draw of another case.
            draws = (number + redraw * sampling.count for redraw in range(REDRAWS))
            chains = (sampler.chain(sampling.seed, draw) for draw in draws)
            new = (chain for chain in chains if tuple(map(name_of, chain)) not in drawn)
            chain = next((chain for chain in new if starts[name_of(chain[0])] < most_starts), ())
            drawn.add(tuple(map(name_of, chain)))
            starts.update(map(name_of, chain[:1]))
            location = f"sample/{sampling.seed}/{number}"
            if not chain:
                yield Rejected(
                    "generate",
                    location,
                    "no_chain",
                    "no further chain of calls that a person would ask for",
                )
                continue
            target = digest_of_parts("chain", [tool.api for tool in chain])
            chain_examples = examples.examples_for(chain, number, EXAMPLES)
            yield Case(target, location, NestedInput(chain, chain_examples))

    def converse(self, step_input: NestedInput, asker: Asker) -> Conversation[Written]:
        """Ask the model for calls and a request; reject calls that do not fit the definitions."""
        reply = yield from ask(
            asker, prompt(self.name, RULES, step_input), NestedReply, self.max_tokens
        )
        check_calls(reply.calls, step_input.apis)
        if nested_count(reply.calls) == 0:
            raise ReplyError("not_nested", "no argument uses an earlier output")
        return Written(reply.query.strip(), msgspec.json.encode(reply.calls).decode())

    def subject(self, query_id: str, step_input: NestedInput, written: Written) -> Subject:
        """Return the request with its API calls and the values that it must state."""
        parameters = {
            (tool.api, parameter.name): parameter
            for tool in step_input.apis
            for parameter in tool.parameters
        }
        proposed = msgspec.json.decode(written.structured or "[]", type=tuple[CallReply, ...])
        fixed = [
            (call.name, _value(argument, parameters.get((call.name, argument.name))))
            for call in proposed
            for argument in call.arguments
            if not is_reference(argument.value)
        ]
        uses = Counter(value.value for _, value in fixed)
        calls = tuple(
            Call(
                (tool.title, tool.api, tool.description),
                tuple(v for api, v in fixed if api == tool.api and uses[v.value] == 1),
            )
            for tool in step_input.apis
        )
        return Subject(
            query_id,
            self.kind,
            written.text,
            required=tuple(value for _, value in fixed if not _is_implied(value)),
            calls=calls,
            prompt=RULES,
            technical=tuple(tool.api for tool in step_input.apis),
            descriptions=tuple(tool.description for tool in step_input.apis if tool.description),
        )


def _value(argument: ArgumentReply, parameter: ToolParameter | None) -> Value:
    """Return a literal argument as a value to be stated, with the description of its parameter."""
    about = parameter.description if parameter is not None else ""
    return Value(argument.value, argument.name, (), label_of(argument.name), about)


def _is_implied(value: Value) -> bool:
    """Whether a verb or other values imply a boolean, as a start time implies "not all day"."""
    switch = value.value.casefold()
    return switch == "false" or (switch == "true" and not topic_of(Value(switch, value.name)).parts)


STEP = NestedStep()
