"""Tests of worlds that are built from services."""
