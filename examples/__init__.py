"""Recipes of one page, each read from top to bottom and run by a test."""
