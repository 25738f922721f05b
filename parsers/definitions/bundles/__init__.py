"""App bundles: what an Info.plist tells of the definitions beside it."""
