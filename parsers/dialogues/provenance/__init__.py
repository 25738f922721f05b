"""Find the calls in the turns of a dialogue, and the origin of each argument."""
