"""The step that writes a dialogue with tool calls, for which a model plays five roles.

The roles choose a subject, choose tools, speak for the user, call the tools, and test the dialogue.
Dialogues show three abilities in turn: Call (the API is given), Retrieve+Call (the API has to be
searched), and Plan+Retrieve+Call (several APIs have to be searched and chained). A dialogue is kept
only if a real search with the model's keywords finds the called tools.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from benchloom.core.identity import digest_of_parts, pick
from benchloom.core.records import Rejected
from prompts.errors import ReplyError
from prompts.steps import Case, Sampling, Step, Written, prompt
from prompts.subject import Statement, Subject
from prompts.talks import Asker, Conversation, ask
from prompts.talks.dialogue_roles import (
    APIS_RULES,
    CALLS_RULES,
    DOMAIN_RULES,
    QUERY_RULES,
    TESTER_RULES,
    ApisData,
    ApisReply,
    CallsData,
    CallsReply,
    Dialogue,
    DomainData,
    DomainReply,
    QueryReply,
    TesterData,
    TesterReply,
)
from prompts.tools.call_sequence import check_calls
from prompts.tools.sampling import ChainSampler, described, observed_links, unlike
from prompts.tools.search import ToolSearcher, open_searcher
from prompts.tools.tool import Tool, read_tools

ReplyT = TypeVar("ReplyT", bound=msgspec.Struct)
Ability = Literal["Call", "Retrieve+Call", "Plan+Retrieve+Call"]
ABILITIES: tuple[Ability, ...] = ("Call", "Retrieve+Call", "Plan+Retrieve+Call")
MAX_OFFERED = 6
MAX_RESULTS = 5
MAX_SIMILAR = 24
"""Maximum number of similar tools to choose from. It is larger than the number of offered tools,
because many tools have the same name or no description."""
MAX_CALLS = 5


class DialogueInput(msgspec.Struct, frozen=True):
    """The input of a dialogue: the ability to show, the offered tools, a searcher of all tools."""

    ability: Ability
    apis: tuple[Tool, ...]
    searcher: ToolSearcher


class DialogueStep(Step[DialogueInput]):
    """A step that writes dialogues about `count` random sets of tools.

    Successive dialogues show different abilities.
    """

    name = "dialogue"
    version = "3"
    reads = ("api_definitions",)
    also_reads = ("planning_paths", "shortcuts")
    kind = "dialogue"
    max_tokens = 900
    expected_tokens_out = 110
    expected_requests = 5

    def cases(self, folder: Path, sampling: Sampling) -> Iterator[Case[DialogueInput] | Rejected]:
        """Yield random sets of similar tools, each with the ability that the dialogue shows."""
        everything = sorted(read_tools(folder), key=lambda tool: tool.api)
        searcher = open_searcher(everything, vectors=sampling.vectors)
        tools = described(everything)
        sampler = ChainSampler(tools, observed_links(folder))
        for number in range(sampling.count):
            location = f"sample/{sampling.seed}/{number}"
            if not tools:
                yield Rejected("generate", location, "no_definitions", "no API definitions to draw")
                continue
            ability = ABILITIES[number % len(ABILITIES)]
            first: tuple[Tool, ...] = (tools[pick(sampling.seed, number, "tool", len(tools))],)
            if ability == "Plan+Retrieve+Call":
                # Several calls are to be chained: some have to fit each other.
                first = sampler.chain(sampling.seed, number) or first
            near = searcher.search(first[0].search_text(), MAX_SIMILAR)
            offered = unlike((*first, *(tool for tool in near if tool.description)))[:MAX_OFFERED]
            target = digest_of_parts("tools", [ability, *(tool.api for tool in offered)])
            yield Case(target, location, DialogueInput(ability, offered, searcher))

    def converse(self, step_input: DialogueInput, asker: Asker) -> Conversation[Written]:
        """Ask the model in each of the five roles; check a reply before the next role reads it."""
        field = yield from self._ask(
            asker,
            "domain",
            DOMAIN_RULES,
            DomainData(step_input.ability, step_input.apis),
            DomainReply,
        )
        apis_block = ApisData(step_input.ability, field.domain, field.need, step_input.apis)
        chosen = yield from self._ask(asker, "apis", APIS_RULES, apis_block, ApisReply)
        tools = _chosen(step_input, chosen.apis)
        spoken = yield from self._ask(
            asker, "query", QUERY_RULES, msgspec.structs.replace(apis_block, apis=tools), QueryReply
        )
        # The tools are shown to the assistant's role; whether they can be found is tested below.
        done = yield from self._ask(
            asker, "calls", CALLS_RULES, CallsData(spoken.query, tools), CallsReply
        )
        searched_apis = _check_solution(step_input, tools, done)
        tested = TesterData(spoken.query, tools, done.calls, done.response)
        verdict = yield from self._ask(asker, "tester", TESTER_RULES, tested, TesterReply)
        if not verdict.accepted:
            raise ReplyError("tester_refused", "the tester role did not accept the dialogue")
        dialogue = Dialogue(
            step_input.ability,
            field.domain,
            field.need,
            spoken.query,
            done.keywords,
            searched_apis,
            done.calls,
            done.response,
        )
        return Written(spoken.query, msgspec.json.encode(dialogue).decode())

    def _ask(
        self, asker: Asker, role: str, rules: str, data_block: msgspec.Struct, reply: type[ReplyT]
    ) -> Conversation[ReplyT]:
        return ask(asker, prompt(f"{self.name}/{role}", rules, data_block), reply, self.max_tokens)

    def subject(self, query_id: str, step_input: DialogueInput, written: Written) -> Subject:
        """Return the user's first utterance with the data that checks compare it with."""
        return Subject(
            query_id,
            self.kind,
            written.text,
            prompt=QUERY_RULES,
            technical=tuple(tool.api for tool in step_input.apis),
            descriptions=tuple(tool.description for tool in step_input.apis if tool.description),
            statements=(_statement(step_input, written),),
        )


def _statement(step_input: DialogueInput, written: Written) -> Statement:
    """Return the assistant's answer, with the texts from which its values may come."""
    dialogue = msgspec.json.decode(written.structured or "", type=Dialogue)
    values = [argument.value for call in dialogue.calls for argument in call.arguments]
    titles = [f"{tool.title} {tool.description}" for tool in step_input.apis]
    return Statement(dialogue.response, (dialogue.query, *values, *titles))


def _chosen(step_input: DialogueInput, names: tuple[str, ...]) -> tuple[Tool, ...]:
    """Return the tools with these names, which the model chose.

    Raises:
        ReplyError: wrong_tools. A tool is not on offer, or the number of tools does not fit the
            ability that the dialogue shows.
    """
    offered = {tool.api: tool for tool in step_input.apis}
    if len(set(names)) != len(names) or not all(name in offered for name in names):
        raise ReplyError("wrong_tools", "a chosen tool is not on offer")
    several = step_input.ability == "Plan+Retrieve+Call"
    if len(names) not in ((2, 3) if several else (1,)):
        raise ReplyError(
            "wrong_tools", f"the reply chooses {len(names)} tools for {step_input.ability}"
        )
    return tuple(offered[name] for name in names)


def _check_solution(
    step_input: DialogueInput, tools: tuple[Tool, ...], done: CallsReply
) -> tuple[str, ...]:
    """Check the calls of a dialogue, and return the APIs that a search for its keywords finds.

    Raises:
        ReplyError: the calls do not fit the definitions of their APIs, call one API although the
            dialogue must use several, or call an API that the search does not find.
    """
    if not 1 <= len(done.calls) <= MAX_CALLS:
        raise ReplyError(
            "bad_call_sequence", f"expected 1 to {MAX_CALLS} calls, not {len(done.calls)}"
        )
    check_calls(done.calls, tools)
    if step_input.ability == "Plan+Retrieve+Call" and len({call.name for call in done.calls}) == 1:
        raise ReplyError("not_planned", "the plan has only one API; it needs several")
    if step_input.ability == "Call":
        return ()
    api_names = tuple(tool.api for tool in step_input.searcher.search(done.keywords, MAX_RESULTS))
    if any(call.name not in api_names for call in done.calls):
        raise ReplyError(
            "tool_not_found", "a search for the keywords does not return every called API"
        )
    return api_names


STEP = DialogueStep()
