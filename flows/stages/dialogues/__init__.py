"""Stages of dialogues: convert, normalise and select."""
