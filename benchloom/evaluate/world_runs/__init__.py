"""Evaluate models on tasks in worlds: choose the tasks, and compute the metrics."""
