"""The command line, one module per command group; discovered by flows.cli."""
