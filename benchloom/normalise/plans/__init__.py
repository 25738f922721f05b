"""Rules every plan obeys, whatever it was made from: graph, category, gate, statistics, choice."""
