"""Turn finished conversations into rows, and judge the rows' texts."""
