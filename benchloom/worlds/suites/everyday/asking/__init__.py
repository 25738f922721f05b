"""Requests that are made up: what people want of the everyday world, in words and calls.

Apps say in `requests` what can be wanted of their tools and in which words; here several wants are
put together, with entities that real reads of the world find.
"""
