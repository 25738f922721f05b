"""Read stored tasks and score the runs of agents on them."""
