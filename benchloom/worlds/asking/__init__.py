"""Compose requests to the everyday world, as texts and calls.

The package `requests` lists the changes ("wants") and questions that users can ask of each app,
with their words. This package combines several of them, with entities that read calls find in the
world.
"""
