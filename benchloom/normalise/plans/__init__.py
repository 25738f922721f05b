"""Rules for plans from any source: graph, category, checks, statistics, selection."""
