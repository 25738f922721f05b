"""Choose tasks in worlds for model runs, and compute the metrics of the runs."""
