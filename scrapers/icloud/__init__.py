"""iCloud's shared shortcuts: what its answers say and what is kept of them; no network."""
