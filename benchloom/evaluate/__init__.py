"""Scorers for published benchmarks, one module per metric."""
