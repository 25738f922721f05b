"""Serve the tools of a world over the Model Context Protocol."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from mcp import MCPError, types
from mcp.server import Server, ServerRequestContext
from mcp.server.context import CallNext, HandlerResult

import benchloom
from benchloom.core.records.values import Plain
from benchloom.worlds.offers import Offer, OfferedTool, refusal_message
from benchloom.worlds.session import Outcome

RESULT = "result"
"""The key under which a result that is not an object is returned, because MCP needs an object."""
PROMPT = "task"
"""The name of the MCP prompt that contains the user's request in a served task."""
_ABOUT = "The first turn of the user."
Context = ServerRequestContext[Any, Any]
Call = Callable[[Context, str, Mapping[str, Plain]], Outcome]
"""A function that calls a tool by its short name in the session of the requesting client."""
WITH_SESSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Versions of MCP that begin with a handshake; later versions have no sessions over HTTP."""
_UNSUPPORTED = -32022
Offered = Callable[[Context], Offer]
"""A function that returns the tools for the requesting client."""


def server_of(offer: Offer, call: Call) -> Server[Any]:
    """Build an MCP server that offers the tools of a world, which is a set of apps with data.

    Each request that calls a tool is passed to `call`, which calls the tool in the session to which
    the request belongs.
    """
    now = offer.world.now
    about = f"It is {now}." if offer.task is None else offer.task.instructions(now)
    return server_for(offer.world.name, about, lambda context: offer, call)  # noqa: ARG005  callers pass the context


def server_for(name: str, about: str, offered: Offered, call: Call) -> Server[Any]:
    """Build an MCP server that can offer different tools to each client.

    `offered` returns the tools for the client of a request, and `call` calls a tool for this
    client. `about` is the text that the server sends to clients as its instructions.
    """

    async def list_tools(
        context: Context, request: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        del request
        return types.ListToolsResult(
            tools=[_tool(tool) for tool in offered(context).tools.values()]
        )

    async def call_tool(
        context: Context, request: types.CallToolRequestParams
    ) -> types.CallToolResult:
        outcome = call(context, request.name, request.arguments or {})
        if outcome.refused is not None:
            return _result(refusal_message(outcome), refused=True)
        tool = offered(context).tools[request.name]
        wrapped = outcome.result if _is_object(tool.result) else {RESULT: outcome.result}
        return _result(outcome.result, wrapped)

    async def list_prompts(
        context: Context, request: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        del request
        offered_prompts = (
            [] if offered(context).task is None else [types.Prompt(name=PROMPT, description=_ABOUT)]
        )
        return types.ListPromptsResult(prompts=offered_prompts)

    async def get_prompt(
        context: Context, request: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        task = offered(context).task
        if task is None or request.name != PROMPT:
            raise MCPError(code=types.INVALID_PARAMS, message="no such prompt")
        rules = [task.instructions(offered(context).world.now)] if task.policy else []
        text = types.TextContent(type="text", text="\n\n".join([*rules, task.turns[0]]))
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=text)])

    return Server(
        name,
        version=benchloom.__version__,
        instructions=about,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )


async def refuse_without_session(ctx: Context, call_next: CallNext) -> HandlerResult:
    """Refuse requests of MCP versions without a handshake, because they belong to no session.

    A client that also knows an older version of MCP then begins with a handshake.
    """
    if ctx.protocol_version not in WITH_SESSIONS:
        raise MCPError(
            code=_UNSUPPORTED,
            message="this server needs a session: begin with the request 'initialize'",
            data={"supported": list(WITH_SESSIONS), "requested": ctx.protocol_version},
        )
    return await call_next(ctx)


def _tool(tool: OfferedTool) -> types.Tool:
    schema = tool.result
    if not _is_object(schema):
        schema = {"type": "object", "properties": {RESULT: schema}, "required": [RESULT]}
    return types.Tool(
        name=tool.name,
        description=tool.about,
        input_schema=tool.arguments,
        output_schema=schema,
        annotations=types.ToolAnnotations(
            read_only_hint=tool.reads, destructive_hint=not tool.reads, open_world_hint=False
        ),
    )


def _is_object(schema: Mapping[str, Any]) -> bool:
    return schema.get("type") == "object"


def _result(
    output: Plain, structured: Plain = None, *, refused: bool = False
) -> types.CallToolResult:
    text = msgspec.json.encode(output).decode()
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)],
        structured_content=structured,
        is_error=refused,
    )
