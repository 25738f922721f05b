"""Run third-party tools in a separate process that is only allowed to compute.

Scorers use `runner`. `worker` is the program of the separate process; it and the modules that it
imports import no other module of benchloom, so that the process is small and starts fast.
"""
