"""The completion log and the budget, which store every request, reply and cost on disk."""
