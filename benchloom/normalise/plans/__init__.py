"""Rules for every plan, whatever its source: graph, category, gate, statistics, choice."""
