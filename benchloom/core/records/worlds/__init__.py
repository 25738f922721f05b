"""Records of worlds: recorded service results, and tasks."""
