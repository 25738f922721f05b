"""Compose random requests to a world: the user's words, and the tool calls that fulfil them.

A suite lists the changes ("wants") and questions that users can ask of each app, with their words.
This package combines several of them, and fills in entities that it finds in the world by read
calls.
"""
