"""Worlds offered to other programs: as an MCP server, and by HTTP as OpenAPI tells.

Only this package knows mcp, FastAPI and a network; what is offered is told by
`benchloom.worlds.offers`. Nothing of what clients send is written down.
"""
