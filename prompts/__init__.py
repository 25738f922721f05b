"""This package generates texts with language models, or without one from templates.

It holds the steps (typed prompts), the client, the completion log, and the checks of the texts.
"""
