"""This package fetches app bundles, which declare APIs, from sources that the operator may use."""
