"""Tests of the import stage."""
