"""The only HTTP client and its rules: robots.txt, pace, deadlines, permitted addresses."""
