"""Turn finished conversations with a model into rows, and run the checks on the rows' texts."""
