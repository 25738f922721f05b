"""Conversations: the requests of steps, how replies are read, and where answers go."""
