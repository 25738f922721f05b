"""The runner: it makes the shards of a stage and keeps what earlier runs made.

A stage module says what it reads, what it writes and which function is between (`stage.Stage`).
Everything else is here: where shards are made (`processes`, `engines`), what a shard writes
(`output`), which shards and rows of earlier runs are used again (`earlier`).
"""
