"""Models that do tasks in worlds: which tasks, and the figures."""
