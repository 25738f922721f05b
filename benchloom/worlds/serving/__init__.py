"""Serve worlds to other programs: as an MCP server, and over HTTP with an OpenAPI document.

Only this package imports mcp and FastAPI and uses a network; `benchloom.worlds.offers` defines
the offered tools. Nothing that clients send is written to disk or logs.
"""
