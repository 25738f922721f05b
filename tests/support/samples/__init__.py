"""Inputs and rows written for tests."""
