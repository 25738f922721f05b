"""App bundles, which declare APIs, from where the operator may have them."""
