"""The completion log and the budget: what was asked, answered and spent, on disk."""
