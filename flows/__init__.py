"""The Prefect flows and the command line; only this package may import all other packages."""
