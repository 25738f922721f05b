"""Inputs and rows that are written for tests."""
