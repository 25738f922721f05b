"""This package runs stages: it makes their shards, and reuses the results of earlier runs.

A stage module declares the inputs and tables of a stage, and the function that makes the tables
from the inputs (`stage.Stage`). The runner does everything else: it opens and checks the stages
that the stage reads (`finished`), chooses where shards are made (`processes`, `engines`), and
writes their files (`output`). Shards and rows of earlier runs are reused from the cache of the
workspace.
"""
