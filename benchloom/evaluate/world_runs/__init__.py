"""Choose tasks in simulated worlds for model runs, and compute the metrics of the runs."""
