"""One player per task protocol: a client that makes given moves, and the reward that it gets."""
