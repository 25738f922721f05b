"""Compose requests to the everyday world, as texts and calls.

The package `requests` lists what users can want of each app and in which words; this package
combines several wants, with entities that read calls find in the world.
"""
