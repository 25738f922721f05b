"""Which values of a shortcut a person would say: literals, what they mean, and the decision."""
