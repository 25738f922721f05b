"""What readers of foreign sets share: records with their places, labels, and tools as JSON."""
