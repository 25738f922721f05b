"""The input kinds under fuzzing, one module each; see `fuzz`."""
