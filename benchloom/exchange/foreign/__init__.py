"""Code that readers of external datasets share: records with locations, labels, JSON tools."""
