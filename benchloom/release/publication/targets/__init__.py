"""Kinds of targets, one module each, discovered by `benchloom.release.publication.target`."""
