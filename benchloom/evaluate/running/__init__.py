"""Run third-party tools in a separate process that is only allowed to compute.

Scorers use `runner`. `worker`, `calls`, `sources` and `sandbox` are the program of the
separate process: they import no other module of benchloom, so that the process is small and
starts fast.
"""
