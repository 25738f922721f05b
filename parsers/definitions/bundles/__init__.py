"""App bundles: the facts that an Info.plist states about the definitions beside it."""
