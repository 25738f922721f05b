"""Withhold data from releases: tombstones, opt-outs, and all data that depend on them."""
