"""The input kinds under fuzzing, one module each; see `tests.fuzz`."""
