"""Run third-party tools in a separate process that is only allowed to compute.

Scorers use the module `runner`. The module `worker` is the program of the separate process. It and
the modules that it imports import no other module of benchloom, so that the process is small and
starts fast.
"""
