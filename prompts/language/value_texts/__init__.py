"""Which values of a shortcut a person would state: literals, their meaning, the decision."""
