"""Tests that follow a new user from input files to a published release and run documented code."""
