"""Parses iCloud's responses about shared shortcuts, and removes personal ids; no network."""

ASSET_SITE = "icloud-content"
RECORD_SITE = "icloud"
