"""The completion log and the budget: every request, reply and cost, on disk."""
