"""Items that flow between the steps of a shortcut: types, coercions, properties, dates."""
