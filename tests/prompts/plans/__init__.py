"""Tests of planning paths in prompts and templates."""
