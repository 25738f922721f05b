"""Fetches app bundles, which declare APIs, from sources that the operator is allowed to use."""
