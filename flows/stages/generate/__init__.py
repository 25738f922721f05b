"""Stages of generated texts: generate, judge."""
