"""Compose requests to a world: the user's words, and the tool calls that fulfil them.

A suite lists the changes ("wants") and questions that users can ask of each app, with their words.
This package combines several of them, with entities that read calls find in the world.
"""
