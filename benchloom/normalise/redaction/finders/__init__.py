"""One module per kind of finder, each with a `FINDER`; discovered by the registry."""
