"""Evaluation of models that do tasks in worlds: choice of tasks, and the figures."""
