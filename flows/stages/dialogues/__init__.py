"""Stages of dialogues: convert, normalise, select."""
