"""Run third-party tools in a separate process that may compute and nothing else.

`runner` is what scorers use. `worker`, `calling`, `importing` and `confining` are the program
of the other process: they import nothing of ours, so that it is small and starts fast.
"""
