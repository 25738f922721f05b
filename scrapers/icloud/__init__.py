"""iCloud's shared shortcuts: the content of its answers, and the parts kept; no network."""
