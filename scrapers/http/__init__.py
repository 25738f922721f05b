"""The one HTTP client and what it obeys: robots.txt, pace, deadlines, permitted addresses."""
