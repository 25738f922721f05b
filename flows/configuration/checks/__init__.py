"""Checks of values that have the right type, by what they need on this machine."""
