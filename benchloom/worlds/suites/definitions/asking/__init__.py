"""Draw requests to an app: orders in plain words by its titles, and values that fit."""
