"""Serve worlds to other programs: as an MCP server, and over HTTP with an OpenAPI document.

Only this package imports mcp and FastAPI and uses a network; `benchloom.worlds.offers` selects the
tools. Requests of clients are written neither to disk nor to logs.
"""
