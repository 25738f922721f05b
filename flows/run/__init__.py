"""The runner: it makes the shards of a stage and reuses what earlier runs made.

A stage module declares what it reads, what it writes and the function that turns one into the
other (`stage.Stage`). Everything else is here: where shards are made (`processes`, `engines`),
what a shard writes (`output`), and which shards and rows of earlier runs are reused
(`earlier`).
"""
