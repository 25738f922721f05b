"""Tests of reading the sets of other projects."""
